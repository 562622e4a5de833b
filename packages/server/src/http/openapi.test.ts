import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().check(z.minLength(1)),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean() })),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

let server: TestServer;
let document: z.infer<typeof Document>;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_WEB_HOST: 'https://ops.example.org/box' } });
  const answer = await server.call('GET', '/openapi.json');
  expect(answer.status).toBe(200);
  document = z.parse(Document, answer.body);
});
afterAll(() => server.stop());

test('the document has every route of the table, and no other', () => {
  const documented = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  expect(documented.toSorted()).toEqual(
    listRoutes()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test.each(listRoutes())('$name tells its path parameters, success, body and permission', ({ name, route }) => {
  const path = route.path.replace(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[route.method.toLowerCase()];
  expect(operation).toMatchObject({ operationId: name, 'x-permission': route.permission });
  const named = operation?.parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
  expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
  expect(Object.keys(operation?.responses ?? {})).toEqual([String(route.status), 'default']);
  expect('requestBody' in (operation ?? {})).toBe(
    route.body !== undefined || route.binaryBody === true || route.anyBody === true,
  );
  expect(operation?.security.length === 0).toBe(route.permission === 'public');
});

test('the server of the document is the base path', () => {
  expect(document.servers).toEqual([{ url: '/box/api' }]);
});

test('every reference in the document points at something', () => {
  const text = JSON.stringify(document);
  for (const [, target] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = (target ?? '')
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    expect(found).toBeDefined();
  }
});

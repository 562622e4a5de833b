import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestServer } from '../start-test-server.ts';
import { createCallers, createPlace } from './callers.ts';
import { type Prism, startPrism } from './prism.ts';
import type { Sample } from './sample.ts';
import { fillPath, makeSample, titlesOf } from './samples.ts';
import { startApiServer } from './start-api-server.ts';
import { identities, keyOf, type NamedRoute, readRights } from './tables.ts';

/** Every operation, asked through a proxy that checks requests and answers against the OpenAPI document. */

let directory: string;
let server: TestServer;
let prism: Prism;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'signalbox-prism-'));
  server = await startApiServer();
  const { port } = server.http.fastify.server.address() as AddressInfo;
  const { body } = await server.call('GET', '/openapi.json');
  prism = await startPrism(body, `http://127.0.0.1:${port}${server.http.apiPath}`, directory);
});
afterAll(async () => {
  await prism?.stop();
  await server.stop();
  await rm(directory, { recursive: true });
});

const rights = new Map(readRights().map(({ title, statuses }) => [keyOf(title), statuses]));
const seen = new Map<string, Set<'2xx' | '4xx'>>();

type Spoken = { status: number; type: string; text: string; violations: string };

async function speak({ name, route }: NamedRoute, url: string, request: RequestInit): Promise<Spoken> {
  const answer = await fetch(prism.url + url, { method: route.method, redirect: 'manual', ...request });
  const spoken = {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
    violations: answer.headers.get('sl-violations') ?? '',
  };
  const range = spoken.status < 300 ? '2xx' : '4xx';
  seen.set(name, (seen.get(name) ?? new Set()).add(range));
  return spoken;
}

/** The proxy follows redirects itself, to where no document reaches: those are looked at on the server. */
async function speakWell(named: NamedRoute, url: string, request: RequestInit): Promise<Spoken> {
  if (named.route.transfer !== 'redirect') return await speak(named, url, request);
  const { status, text, headers } = await server.call(named.route.method, url);
  expect(headers.location).toMatch(/^(http:|\/)/);
  seen.get(named.name)?.add('2xx');
  return { status, type: '', text, violations: '' };
}

/** A refusal that a well-formed request can get: what is wrong is who sends it, or a name that nobody has. */
function spoilCall(
  { route }: NamedRoute,
  url: string,
  sample: Sample,
): { url: string; sample: Sample; headers: object } {
  const stale = { cookie: 'signalbox=stale', 'x-runner-token': 'stale' };
  if (route.permission !== 'public') return { url, sample, headers: stale };
  if (route.path === '/auth/login' && route.method === 'POST') {
    return { url, sample: { ...sample, body: { auth: 'nobody', password: 'wrong' } }, headers: {} };
  }
  return { url: `${url}${url.includes('?') ? '&' : '?'}odd=%00`, sample, headers: {} };
}

function toRequest(sample: Sample, headers: object): RequestInit {
  const { body } = sample;
  const isBytes = Buffer.isBuffer(body);
  const type = { 'content-type': 'application/json' };
  return {
    headers: { ...(body === undefined ? {} : type), ...sample.headers, ...headers },
    ...(body === undefined ? {} : { body: isBytes ? body.toString() : JSON.stringify(body) }),
  };
}

const titled = listRoutes().map((named) => ({ named, title: titlesOf(named)[0] ?? '', name: named.name }));

describe('the document and the server agree on', () => {
  test.each(titled)('$name', async ({ named, title }) => {
    const place = await createPlace(server);
    const callers = await createCallers(place);
    const statuses = rights.get(title);
    const identity = identities.findLast((one) => (statuses?.[one] ?? 500) < 300) ?? 'admin';
    const { sender, headers } = callers[identity];
    const sample = await makeSample(title, place, sender);
    const url = fillPath(named.route.path, place, sample) + (sample.query === undefined ? '' : `?${sample.query}`);

    const bad = spoilCall(named, url, sample);
    const refused = await speak(named, bad.url, toRequest(bad.sample, bad.headers));
    expect(refused).toMatchObject({
      status: expect.toSatisfy((status) => status >= 400 && status < 500),
      violations: '',
    });
    expect(refused.type).toBe('application/json; charset=utf-8');

    const good = await speakWell(named, url, toRequest(sample, headers));
    expect(good).toMatchObject({ status: named.route.status, violations: '' });
    expect(good.type).not.toContain('problem');
  });

  test('every operation, which was asked and refused at least once', () => {
    const unvisited = listRoutes().filter(({ name }) => seen.get(name)?.size !== 2);
    expect(unvisited.map(({ name }) => name)).toEqual([]);
  });
});

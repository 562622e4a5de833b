import { ErrorBody, errorStatus } from '@signalbox/contract/errors';
import type { Route } from '@signalbox/contract/http/route';
import { listRoutes } from '@signalbox/contract/routes';
import { runnerTokenHeader } from '@signalbox/contract/runner-protocol';
import * as z from 'zod/mini';
import type { HttpApi } from './http-api.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the route table. `apiPath` is where the routes hang. */
function createOpenApi(apiPath: string, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const { name, route } of listRoutes()) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operations = paths[path] ?? {};
    operations[route.method.toLowerCase()] = createOperation(name, route);
    paths[path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Signalbox', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: apiPath }],
    paths,
    components: {
      schemas: { Error: toSchema(ErrorBody, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'signalbox' },
        token: { type: 'http', scheme: 'bearer' },
        runner: { type: 'apiKey', in: 'header', name: runnerTokenHeader },
      },
    },
  };
}

/** Serves the document, made once on first use. */
export function serveOpenApi(http: HttpApi, version: string): void {
  let text: string | undefined;
  http.paths.add('GET', `${http.apiPath}/openapi.json`);
  http.fastify.get(`${http.apiPath}/openapi.json`, (_request, reply) => {
    text ??= JSON.stringify(createOpenApi(http.apiPath, version));
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

function createOperation(name: string, route: Route): Json {
  const operation: Json = {
    operationId: name,
    tags: [name.split('.', 1)[0]],
    summary: route.summary,
    'x-permission': route.permission,
    security: describeSecurity(route),
    parameters: [...listParameters(route.params, 'path'), ...listParameters(route.query, 'query')],
    responses: { [route.status]: describeSuccess(route), default: describeFailure() },
  };
  const body = describeBody(route);
  if (body !== undefined) operation.requestBody = body;
  return operation;
}

function describeSecurity(route: Route): Json[] {
  if (route.permission === 'public') return [];
  if (route.permission === 'session') return [{ session: [] }];
  return route.permission === 'runner' ? [{ runner: [] }] : [{ session: [] }, { token: [] }];
}

function listParameters(schema: Route['params'], place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function describeBody(route: Route): Json | undefined {
  if (route.binaryBody === true) return { required: true, content: { 'application/octet-stream': {} } };
  if (route.anyBody === true) return { required: false, content: { '*/*': {} } };
  if (route.body === undefined) return undefined;
  const required = !z.safeParse(route.body, undefined).success;
  return { required, content: { 'application/json': { schema: toSchema(route.body, 'input') } } };
}

function describeSuccess(route: Route): Json {
  if (route.transfer === 'text') return { description: 'Text', content: { 'text/plain': {} } };
  if (route.transfer === 'redirect') {
    return { description: 'Go on there', headers: { location: { required: true, schema: { type: 'string' } } } };
  }
  if (route.transfer === 'png') return { description: 'Image', content: { 'image/png': {} } };
  if (route.response === undefined) {
    return route.transfer === 'stream'
      ? { description: 'Text as it was written', content: { 'text/plain': {} } }
      : { description: 'Done' };
  }
  return { description: 'Done', content: { 'application/json': { schema: toSchema(route.response, 'output') } } };
}

function describeFailure(): Json {
  return {
    description: `Refused or failed; the status follows from the code: ${Object.entries(errorStatus)
      .map(([code, status]) => `${code} ${status}`)
      .join(', ')}`,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function toSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startApiServer } from './start-api-server.ts';
import { findRoute, keyOf, readRights, readRouteList } from './tables.ts';

const document = readFileSync(path.join(import.meta.dirname, '../../../../../docs/api.md'), 'utf8');
const list = readRouteList();
/** Ids with a reason in the section of the document that is there for them. */
const reasons = new Set(
  [...(document.split(/^## What is not served$/m)[1]?.split(/^## /m)[0] ?? '').matchAll(/\bR\d{3}\b/g)].map(
    ([id]) => id,
  ),
);
/** Those are seen to answer by the test of rights. */
const answered = new Set(readRights().map(({ call }) => keyOf(call)));

test('the list names each route once, under an id of its own', () => {
  expect(list.length).toBe(165);
  expect(list.map(({ id }) => id)).toEqual(list.map((_route, index) => `R${String(index + 1).padStart(3, '0')}`));
  expect(new Set(list.map(({ call }) => keyOf(call))).size).toBe(list.length);
});

test('every route of the list is served, or the document says why not', () => {
  const missing = list.filter(({ id, call }) => findRoute(call) === undefined && !reasons.has(id));
  expect(missing.map(({ id, call }) => `${id} ${call}`)).toEqual([]);
});

test('every route of the list that is served is seen to answer', () => {
  const unseen = list.filter(({ call }) => findRoute(call) !== undefined && !answered.has(keyOf(call)));
  expect(unseen).toEqual([]);
});

test('the document gives no reason for a route that is served', () => {
  const served = list.filter(({ id, call }) => reasons.has(id) && findRoute(call) !== undefined);
  expect(served).toEqual([]);
});

/** Method and path of everything that the router knows, from the tree that it prints. */
function listServed(tree: string): string[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods = ''] = /^([│├└─\s]*)(\S*) \(([A-Z, ]+)\)$/.exec(line) ?? [];
    if (methods === '') return [];
    const depth = indent.length / 4;
    parents.splice(depth - 1, parents.length, path);
    return methods.split(', ').map((method) => `${method} ${parents.join('')}`);
  });
}

test('nothing is served that the contract does not name, but its document, the health, locks of states and the console', async () => {
  const server = await startApiServer();
  const served = listServed(server.http.fastify.printRoutes({ commonPrefix: false }));
  await server.stop();
  const others = served.filter((call) => {
    const [method = '', path = ''] = call.split(' ');
    const isOfApi = path.startsWith('/api/');
    return !(isOfApi && findRoute(`${method === 'HEAD' ? 'GET' : method} ${path.slice('/api'.length)}`) !== undefined);
  });
  expect(served.length).toBeGreaterThan(150);
  const known = ['/api/openapi.json', '/healthz', '*'].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
  const ofTerraform = ['LOCK', 'UNLOCK'].map((method) => `${method} /api/terraform/:alias`);
  expect([...known, ...ofTerraform]).toEqual(expect.arrayContaining(others));
});

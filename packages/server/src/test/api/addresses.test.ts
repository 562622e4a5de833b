import { ErrorBody } from '@signalbox/contract/errors';
import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { TestServer } from '../start-test-server.ts';
import { type Caller, createCallers, createPlace } from './callers.ts';
import { ChangeWatch } from './change-watch.ts';
import type { Place } from './place.ts';
import { fillPath, makeSample, titlesOf } from './samples.ts';
import { type RawAnswer, sendRaw } from './send.ts';
import { startApiServer } from './start-api-server.ts';
import type { Identity, NamedRoute } from './tables.ts';

/** There is one way to write the address of a route, and one way to name its method. */

let server: TestServer;
let place: Place;
let callers: Record<Identity, Caller>;
let watch: ChangeWatch;
beforeAll(async () => {
  server = await startApiServer();
  place = await createPlace(server);
  callers = await createCallers(place);
  watch = await ChangeWatch.open(server.database);
});
afterAll(() => server.stop());

const routes = listRoutes();
const closed = routes.filter(({ route }) => route.permission !== 'public' && !/\/auth\//.test(route.path));
const reads = routes.filter(({ route }) => route.method === 'GET');

/** Methods of every route that takes the address, `/tasks/last` being one of `/tasks/:task_id` too. */
function listMethods(path: string): string[] {
  const matches = routes.filter(({ route }) => new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path));
  return [...new Set(matches.map(({ route }) => route.method as string))];
}

async function addressOf(
  named: NamedRoute,
  caller = callers.admin,
): Promise<{ path: string; query: string; body: unknown }> {
  const [title = ''] = titlesOf(named);
  const sample = await makeSample(title, place, caller.sender);
  return { path: fillPath(named.route.path, place, sample), query: sample.query ?? '', body: sample.body };
}

/** Ways to write an address that proxies and servers have read differently. */
const disguises: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.replace('/', '//'),
  (path) => path.replaceAll('/', '//'),
  (path) => `${path}.json`,
  (path) => `${path}.css`,
  (path) => `${path}/configs`,
  (path) => `${path}/.`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/%2e%2e/api${path}`,
  (path) => `/ping/..${path}`,
  (path) => `/ping/%2e%2e${path}`,
  (path) => `/ping/..%2f${path.slice(1)}`,
  (path) => `/ping;${path}`,
  (path) => `${path};/ping`,
  (path) => `${path}%2f`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path}?/api/ping`,
  (path) => `${path}#/api/ping`,
  (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  (path) => path.toUpperCase(),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
];

const apiDisguises: ((url: string) => string)[] = [
  (url) => `/${url}`,
  (url) => url.replace('/api', '/API'),
  (url) => url.replace('/api', '/./api'),
  (url) => url.replace('/api', '/x/../api'),
];

/** The console's page tells nothing. */
const isPage = ({ status, headers }: RawAnswer): boolean =>
  String(headers['content-type']).startsWith('text/html') || status === 302;

describe('without a session', () => {
  test.each(closed)('no disguise of the address opens $name', async (named) => {
    const { path, query, body } = await addressOf(named);
    await watch.changedTables();
    const search = query === '' ? '' : `?${query}`;
    const urls = disguises.map((disguise) => `${server.http.apiPath}${disguise(path)}${search}`);
    const others = apiDisguises.map((disguise) => disguise(`${server.http.apiPath}${path}${search}`));
    for (const url of [...urls, ...others]) {
      const answer = await sendRaw(server, named.route.method, url, { body });
      if (isPage(answer)) continue;
      expect([url, answer.status], answer.text).toEqual([url, expect.toSatisfy((it) => it >= 400 && it < 500)]);
      z.parse(ErrorBody, JSON.parse(answer.text));
    }
    expect(await watch.changedTables()).toEqual([]);
  });
});

describe('no header and no parameter changes the method of', () => {
  const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];
  test.each(closed.filter(({ route }) => route.permission !== 'runner'))('$name', async (named) => {
    const { path, query } = await addressOf(named, callers.guest);
    const own = listMethods(path);
    await watch.changedTables();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const headers = Object.fromEntries(overrides.map((header) => [header, method]));
      const url = `${path}?_method=${method}&${query}`;
      const answer = await server.call('GET', url, { headers: { ...callers.guest.headers, ...headers } });
      // Whatever was asked for, a GET is a read, and where there is no GET it is none.
      expect(answer.status).toBeLessThan(500);
      if (!own.includes('GET')) expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect(await watch.changedTables()).toEqual([]);
  });
});

describe('methods that are not declared are refused by the address of', () => {
  test.each(routes)('$name', async (named) => {
    const { path } = await addressOf(named);
    const declared = listMethods(path);
    await watch.changedTables();
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      if (declared.includes(method)) continue;
      const answer = await server.call(method, path, { headers: callers.admin.headers, body: {} });
      expect([method, answer.status], answer.text).toEqual([method, 405]);
      expect(answer.error.code).toBe('method_not_allowed');
      expect(String(answer.headers.allow).split(', ')).toEqual(expect.arrayContaining(declared));
    }
    expect(await watch.changedTables()).toEqual([]);
  });
});

describe('HEAD is answered like GET, without a body, by', () => {
  test.each(reads)('$name', async (named) => {
    const { path, query } = await addressOf(named);
    const url = query === '' ? path : `${path}?${query}`;
    const get = await server.call('GET', url, { headers: callers.admin.headers });
    const head = await server.call('HEAD', url, { headers: callers.admin.headers });
    expect([head.status, head.text]).toEqual([get.status, '']);
    const nobody = await server.call('GET', url);
    expect((await server.call('HEAD', url)).status).toBe(nobody.status);
  });
});

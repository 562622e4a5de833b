import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../start-test-server.ts';
import { type Caller, createCallers, createPlace } from './callers.ts';
import { ChangeWatch } from './change-watch.ts';
import type { Place } from './place.ts';
import { fillPath, makeSample, titlesOf } from './samples.ts';
import { send } from './send.ts';
import { startApiServer } from './start-api-server.ts';
import type { Identity } from './tables.ts';

/** What holds for every route that changes something. */

const writes = listRoutes().filter(({ route }) => route.method !== 'GET' && route.permission !== 'runner');
const ofPeople = writes.filter(({ route }) => !['public', 'session'].includes(route.permission));

describe('a page of another origin changes nothing by', () => {
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

  test.each(writes.filter(({ route }) => route.anyOrigin !== true))('$name', async (named) => {
    const [title = ''] = titlesOf(named);
    const caller = named.route.permission === 'session' ? callers.unverified : callers.admin;
    const sample = await makeSample(title, place, caller.sender);
    await watch.changedTables();
    for (const origin of ['http://evil.example', 'null', 'http://localhost.evil.example', 'https://localhost']) {
      const answer = await send(named, place, sample, { ...caller.headers, origin });
      expect([origin, answer.status, answer.error.code]).toEqual([origin, 403, 'foreign_origin']);
    }
    expect(await watch.changedTables()).toEqual([]);
  });
});

describe('in a demo only administrators change something by', () => {
  let server: TestServer;
  let place: Place;
  let watch: ChangeWatch;
  beforeAll(async () => {
    server = await startTestServer({ env: { SIGNALBOX_DEMO_MODE: '1' } });
    place = await createPlace(server);
    watch = await ChangeWatch.open(server.database);
  });
  afterAll(() => server.stop());

  test.each(ofPeople)('$name', async ({ route }) => {
    const { owner } = place.project;
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const ids = names.filter((name) => name !== 'project_id').map((name) => (name === 'user_id' ? owner.id : 1));
    await watch.changedTables();
    const path = fillPath(route.path, place, { ids });
    const answer = await server.call(route.method, path, { session: owner.session, body: {} });
    const code = route.permission === 'admin' ? 'forbidden' : 'read_only_demo';
    expect([answer.status, answer.error.code]).toEqual([403, code]);
    expect(await watch.changedTables()).toEqual([]);
  });
});

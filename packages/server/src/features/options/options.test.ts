import { optionRoutes } from '@signalbox/contract/options';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aUser, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let admin: TestUser;

beforeEach(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
}, 60_000);
afterEach(() => server.stop());

const set = (body: unknown) => server.call('POST', '/options', { session: admin.session, body });

async function list(): Promise<Record<string, string>> {
  return (await server.ask(optionRoutes.list, { session: admin.session })).body;
}

test('options are stored, changed, and removed by an empty value', async () => {
  const answer = await set({ key: 'dashboard.title', value: 'Ops' });
  expect([answer.status, answer.body]).toEqual([200, { key: 'dashboard.title', value: 'Ops' }]);
  await set({ key: 'constructor', value: 'a word like any other' });
  await set({ key: 'dashboard.title', value: 'Operations' });
  expect(await list()).toEqual({ 'dashboard.title': 'Operations', constructor: 'a word like any other' });
  expect((await set({ key: 'dashboard.title', value: '' })).status).toBe(200);
  expect(Object.keys(await list())).toEqual(['constructor']);
  const events = await server.database.read
    .selectFrom('event')
    .select(['description', 'user_id'])
    .where('object_name', '=', 'dashboard.title')
    .execute();
  expect(events.map(({ description }) => description)).toEqual([
    'Option dashboard.title updated',
    'Option dashboard.title updated',
    'Option dashboard.title deleted',
  ]);
});

test.each([
  ['max_parallel_tasks', /SIGNALBOX_MAX_PARALLEL_TASKS/],
  ['web_host', /SIGNALBOX_WEB_HOST/],
  ['Data', /SIGNALBOX_DATA/],
  ['apps.bash.active', /PUT \/apps\/bash/],
])('an option that would change nothing is refused with the place where it is set: %s', async (key, place) => {
  const answer = await set({ key, value: '1' });
  expect(answer.status).toBe(400);
  expect(answer.error.error).toMatch(place);
  expect(await list()).toEqual({});
});

test.each<[string, unknown]>([
  ['without a key', { value: 'x' }],
  ['with an empty key', { key: '', value: 'x' }],
  ['with a key that begins with _', { key: '__proto__', value: 'x' }],
  ['with an empty word in its key', { key: 'a..b', value: 'x' }],
  ['with a space in its key', { key: 'a b', value: 'x' }],
  ['with a key that is too long', { key: 'a'.repeat(101), value: 'x' }],
  ['without a value', { key: 'a' }],
  ['with a number', { key: 'a', value: 1 }],
  ['with NUL', { key: 'a', value: 'x\0' }],
  ['with a value that is too long', { key: 'a', value: 'x'.repeat(10_001) }],
  ['that is a list', []],
])('an option %s is refused', async (_name, body) => {
  expect((await set(body)).status).toBe(400);
  expect(await list()).toEqual({});
});

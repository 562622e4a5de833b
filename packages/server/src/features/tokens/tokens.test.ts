import { tokenRoutes } from '@signalbox/contract/tokens';
import { userRoutes } from '@signalbox/contract/users';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { aUser, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await startTestServer();
  user = await aUser(server);
});
afterAll(() => server.stop());
afterEach(() => {
  vi.useRealTimers();
});

async function create(body: { name?: string; expires?: string } = {}, { session }: TestUser = user) {
  const answer = await server.ask(tokenRoutes.create, { body, session });
  expect(answer.status).toBe(201);
  return answer.body;
}
const list = async ({ session }: TestUser = user) => (await server.ask(tokenRoutes.list, { session })).body;
const asToken = (token: string, path = '/user') =>
  server.call('GET', path, { headers: { authorization: `Bearer ${token}` } });
const revoke = (id: string, { session }: TestUser = user) =>
  server.ask(tokenRoutes.revoke, { params: { token_id: id }, session });

test('an API token is shown once, and stored as a hash', async () => {
  const made = await create({ name: 'CI' });
  expect(made).toMatchObject({ name: 'CI', user_id: user.id, expires: null, last_used: null, expired: false });
  expect(made.token).toMatch(/^sbt_[0-9a-f]{64}$/);
  const listed = await server.ask(tokenRoutes.list, { session: user.session });
  expect(listed.body.find(({ name }) => name === 'CI')?.id).toBe(made.token.slice(0, 16));
  expect(listed.text).not.toContain(made.token);
  const rows = await server.database.read.selectFrom('api_token').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(made.token);
  const events = await server.database.read.selectFrom('event').selectAll().execute();
  expect(JSON.stringify(events)).not.toContain(made.token);
  expect(events.at(-1)).toMatchObject({ user_id: user.id, object_type: 'token', object_name: 'CI' });
});

test('a client of the older product takes the token from the id, without sending a body, in any letter case', async () => {
  const { status, body } = await server.call('POST', '/user/tokens', { session: user.session });
  expect(status).toBe(201);
  const { id } = body as { id: string };
  expect(id).toBe(id.toLowerCase());
  for (const authorization of [`bearer ${id}`, `BEARER ${id.toUpperCase()}`, `Bearer ${id}`]) {
    expect((await server.call('GET', '/user', { headers: { authorization } })).status).toBe(200);
  }
});

test('a token has the rights of its user, whatever they become', async () => {
  const admin = await aUser(server, { admin: true });
  const { token } = await create({}, admin);
  expect((await asToken(token, `/users/${user.id}`)).status).toBe(200);
  await server.database.transact((db) =>
    db.updateTable('user').set({ admin: false }).where('id', '=', admin.id).execute(),
  );
  expect((await asToken(token, `/users/${user.id}`)).status).toBe(403);
});

test('a token is good until it runs out, and is then listed as expired', async () => {
  const expires = new Date(Date.now() + 60_000).toISOString();
  const { token } = await create({ name: 'short', expires });
  expect((await asToken(token)).status).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect((await asToken(token)).status).toBe(401);
  expect((await list()).find(({ name }) => name === 'short')).toMatchObject({ expires, expired: true });
});

test('a time with an offset is a time', async () => {
  expect((await create({ expires: '2100-01-01T02:00:00+02:00' })).expires).toBe('2100-01-01T00:00:00.000Z');
});

test.each([
  { expires: '2001-01-01T00:00:00Z' },
  { expires: 'tomorrow' },
  { expires: 5 },
  { name: 'x'.repeat(256) },
  { name: 'a\0b' },
  [],
  'text',
])('a token with %j is refused', async (body) => {
  const before = (await list()).length;
  const answer = await server.call('POST', '/user/tokens', { session: user.session, body: JSON.stringify(body) });
  expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
  expect(await list()).toHaveLength(before);
});

test('a revoked token is refused at once and stays listed as expired', async () => {
  const made = await create({ name: 'to revoke' });
  expect((await revoke(made.token.slice(0, 16))).status).toBe(204);
  expect((await asToken(made.token)).status).toBe(401);
  expect((await list()).find(({ name }) => name === 'to revoke')?.expired).toBe(true);
});

test('a token is revoked by its whole text too', async () => {
  const { token } = await create();
  expect((await revoke(token)).status).toBe(204);
  expect((await asToken(token)).status).toBe(401);
});

test('nobody revokes or lists the token of another, administrators neither', async () => {
  const admin = await aUser(server, { admin: true });
  const { token } = await create({ name: 'mine' });
  for (const id of [token, token.slice(0, 16), 'unknown']) {
    const answer = await revoke(id, admin);
    expect([answer.status, answer.error.code]).toEqual([404, 'not_found']);
  }
  expect((await asToken(token)).status).toBe(200);
  expect(await list(admin)).toEqual([]);
});

test('the last use is written at most once a minute', async () => {
  const { token } = await create({ name: 'used' });
  const lastUsed = async () => (await list()).find(({ name }) => name === 'used')?.last_used;
  expect(await lastUsed()).toBeNull();
  await asToken(token);
  const first = await lastUsed();
  expect(first).not.toBeNull();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(first ?? '') + 59_000 });
  await asToken(token);
  expect(await lastUsed()).toBe(first);
  vi.setSystemTime(Date.parse(first ?? '') + 61_000);
  await asToken(token);
  expect(await lastUsed()).toBe(new Date(Date.parse(first ?? '') + 61_000).toISOString());
});

test('tokens go with their user', async () => {
  const leaving = await aUser(server);
  const { token } = await create({}, leaving);
  await server.ask(userRoutes.remove, { params: { user_id: leaving.id }, session: leaving.session });
  expect((await asToken(token)).status).toBe(401);
});

import { once } from 'node:events';
import { sessionRoutes } from '@signalbox/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { hashPassword } from '../../auth/passwords.ts';
import { aUser, type TestUser } from '../../test/factories.ts';
import { type EngineServer, startEngineServer } from '../../test/start-engine-server.ts';

let server: EngineServer;
let admin: TestUser;
let hash: string;
beforeAll(async () => {
  server = await startEngineServer();
  admin = await aUser(server, { admin: true });
  hash = await hashPassword('right');
});
afterAll(() => server.stop());

async function signIn(username: string, userAgent: string): Promise<string> {
  const answer = await server.call('POST', '/auth/login', {
    body: { auth: username, password: 'right' },
    headers: { 'user-agent': userAgent },
  });
  expect(answer.status).toBe(204);
  return /^signalbox=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
}

const listOwn = async (session: string) => (await server.ask(sessionRoutes.listOwn, { session })).body;
const isSignedIn = async (session: string) => (await server.call('GET', '/user', { session })).status === 200;

/** A user with two browsers. */
async function aBusyUser(): Promise<TestUser & { phone: string; desk: string }> {
  const user = await aUser(server, { password: hash });
  const phone = await signIn(user.actor.username, 'Phone');
  return { ...user, phone, desk: await signIn(user.actor.username, 'Desk') };
}

async function findId(user: { desk: string }, userAgent: string): Promise<number> {
  return (await listOwn(user.desk)).find((session) => session.user_agent === userAgent)?.id ?? 0;
}

test('a user sees his sessions with browser, address and times, and which one asks', async () => {
  const user = await aBusyUser();
  const sessions = await listOwn(user.desk);
  expect(sessions.map((session) => [session.user_agent, session.current])).toEqual(
    expect.arrayContaining([
      ['Phone', false],
      ['Desk', true],
    ]),
  );
  expect(sessions.find(({ current }) => current)).toMatchObject({ address: '127.0.0.1', verified: true });
  for (const { created, last_active: active } of sessions) expect(Date.parse(active) >= Date.parse(created)).toBe(true);
  expect(JSON.stringify(sessions)).not.toContain(user.desk);
});

test('a user ends a session of his, and it is refused at once', async () => {
  const user = await aBusyUser();
  const params = { session_id: await findId(user, 'Phone') };
  expect((await server.ask(sessionRoutes.endOwn, { params, session: user.desk })).status).toBe(204);
  expect([await isSignedIn(user.phone), await isSignedIn(user.desk)]).toEqual([false, true]);
  const again = await server.ask(sessionRoutes.endOwn, { params, session: user.desk });
  expect([again.status, again.error.code]).toEqual([404, 'not_found']);
});

test('an administrator lists and ends sessions of a user', async () => {
  const user = await aBusyUser();
  const params = { user_id: user.id };
  const { body } = await server.ask(sessionRoutes.list, { params, session: admin.session });
  expect(body.map(({ current }) => current)).toEqual([false, false, false]);
  const id = await findId(user, 'Phone');
  const end = { params: { user_id: user.id, session_id: id }, session: admin.session };
  expect((await server.ask(sessionRoutes.end, end)).status).toBe(204);
  expect([await isSignedIn(user.phone), await isSignedIn(user.desk)]).toEqual([false, true]);
  expect((await server.ask(sessionRoutes.endAll, { params, session: admin.session })).status).toBe(204);
  expect([await isSignedIn(user.desk), await isSignedIn(admin.session)]).toEqual([false, true]);
  const events = await server.database.read
    .selectFrom('event')
    .select('description')
    .where('user_id', '=', admin.id)
    .where('object_id', '=', user.id)
    .orderBy('id')
    .execute();
  expect(events.map(({ description }) => description)).toEqual([
    `A session was ended: ${user.actor.username}`,
    `2 sessions were ended: ${user.actor.username}`,
  ]);
});

test('ending all sessions leaves the one that asks', async () => {
  const user = await aBusyUser();
  const ended = await server.ask(sessionRoutes.endAll, { params: { user_id: user.id }, session: user.desk });
  expect(ended.status).toBe(204);
  expect([await isSignedIn(user.phone), await isSignedIn(user.session), await isSignedIn(user.desk)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('nobody ends a session of another user, by neither path', async () => {
  const user = await aBusyUser();
  const other = await aUser(server);
  const id = await findId(user, 'Phone');
  const own = { params: { session_id: id }, session: other.session };
  expect((await server.ask(sessionRoutes.endOwn, own)).status).toBe(404);
  const crossed = { params: { user_id: other.id, session_id: id }, session: other.session };
  expect((await server.ask(sessionRoutes.end, crossed)).status).toBe(404);
  const foreign = { params: { user_id: user.id }, session: other.session };
  expect((await server.ask(sessionRoutes.list, foreign)).status).toBe(403);
  expect((await server.ask(sessionRoutes.endAll, foreign)).status).toBe(403);
  expect(await isSignedIn(user.phone)).toBe(true);
});

test('sessions of a user who is not there are not found', async () => {
  const params = { user_id: 999_999 };
  expect((await server.ask(sessionRoutes.list, { params, session: admin.session })).status).toBe(404);
  expect((await server.ask(sessionRoutes.endAll, { params, session: admin.session })).status).toBe(404);
});

test('a session that has run out is not listed', async () => {
  const user = await aBusyUser();
  await server.database.transact((db) =>
    db.updateTable('session').set({ last_active: 1 }).where('user_agent', '=', 'Phone').execute(),
  );
  expect((await listOwn(user.desk)).map((session) => session.user_agent)).not.toContain('Phone');
});

async function openSocket(session: string): Promise<WebSocket> {
  const headers = { cookie: `signalbox=${session}`, origin: server.url };
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/ws`, { headers });
  await once(socket, 'open');
  return socket;
}

test.each([
  [
    'is ended',
    (user: { id: number }) => server.call('DELETE', `/users/${user.id}/sessions`, { session: admin.session }),
  ],
  [
    'is asked for a second step from now on',
    async (user: TestUser) => {
      const answer = await server.call('POST', `/users/${user.id}/2fas/totp`, { session: user.session });
      return { status: answer.status + 3 };
    },
  ],
  ['is signed out', (user: { desk: string }) => server.call('POST', '/auth/logout', { session: user.desk })],
  [
    'has its password changed by somebody else',
    (user: { id: number }) =>
      server.call('POST', `/users/${user.id}/password`, { session: admin.session, body: { password: 'new' } }),
  ],
  ['loses its user', (user: { id: number }) => server.call('DELETE', `/users/${user.id}`, { session: admin.session })],
])('the open websocket of a session that %s is closed at once', async (_case, end) => {
  const user = await aBusyUser();
  const socket = await openSocket(user.desk);
  const other = await openSocket(admin.session);
  const closed = once(socket, 'close');
  expect((await end(user)).status).toBe(204);
  const [code] = await closed;
  expect(code).toBe(4401);
  expect(other.readyState).toBe(WebSocket.OPEN);
  other.terminate();
});

import { authRoutes } from '@signalbox/contract/auth';
import { userRoutes } from '@signalbox/contract/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';
import { closeDemoAccounts, openDemoAccount } from './demo-account.ts';

const account = { login: 'visitor', password: 'see all' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_DEMO_MODE: '1', SIGNALBOX_DEMO_LOGIN: 'visitor' } });
});
afterAll(() => server.stop());

test('the account of a demo is made once, signs in with its password and is no administrator', async () => {
  const id = await openDemoAccount(server.database, account);
  expect(id).toBeGreaterThan(0);
  expect(await openDemoAccount(server.database, { ...account, password: 'another' })).toBeUndefined();
  const { headers } = await server.ask(authRoutes.login, { body: { auth: 'visitor', password: 'see all' } });
  const session = /signalbox=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
  const { body } = await server.ask(userRoutes.current, { session });
  expect(body).toMatchObject({ id, username: 'visitor', admin: false, can_create_project: false });
});

test('without the demo its password opens nothing, and with it again it does', async () => {
  const login = () => server.ask(authRoutes.login, { body: { auth: 'visitor', password: 'see all' } });
  const { headers } = await login();
  const session = /signalbox=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
  await closeDemoAccounts(server.database);
  expect((await login()).status).toBe(401);
  expect((await server.ask(userRoutes.current, { session })).status).toBe(401);
  // Others keep theirs, and what is closed is closed once.
  await closeDemoAccounts(server.database);
  const events = await server.database.read.selectFrom('event').select('description').execute();
  expect(events.filter(({ description }) => description.includes('no demo any more'))).toHaveLength(1);
  const users = await server.database.read
    .selectFrom('user')
    .select('password')
    .where('username', '!=', 'visitor')
    .execute();
  expect(users.every(({ password }) => password !== null)).toBe(true);
  await openDemoAccount(server.database, account);
  expect((await login()).status).toBe(204);
});

test('the sign-in screen is told of the account in a demo, and elsewhere not', async () => {
  const { body } = await server.ask(authRoutes.options, {});
  expect(body?.demo).toEqual({ login: 'visitor', password: 'demo' });
  const other = await startTestServer();
  expect((await other.ask(authRoutes.options, {})).body).not.toHaveProperty('demo');
  await other.stop();
});

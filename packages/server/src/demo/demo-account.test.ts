import { authRoutes } from '@signalbox/contract/auth';
import { userRoutes } from '@signalbox/contract/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';
import { createDemoAccount } from './demo-account.ts';

const account = { login: 'visitor', password: 'see all' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_DEMO_MODE: '1', SIGNALBOX_DEMO_LOGIN: 'visitor' } });
});
afterAll(() => server.stop());

test('the account of a demo is made once, signs in with its password and is no administrator', async () => {
  const id = await createDemoAccount(server.database, account);
  expect(id).toBeGreaterThan(0);
  expect(await createDemoAccount(server.database, { ...account, password: 'another' })).toBeUndefined();
  const { headers } = await server.ask(authRoutes.login, { body: { auth: 'visitor', password: 'see all' } });
  const session = /signalbox=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
  const { body } = await server.ask(userRoutes.current, { session });
  expect(body).toMatchObject({ id, username: 'visitor', admin: false, can_create_project: false });
});

test('the sign-in screen is told of the account in a demo, and elsewhere not', async () => {
  const { body } = await server.ask(authRoutes.options, {});
  expect(body?.demo).toEqual({ login: 'visitor', password: 'demo' });
  const other = await startTestServer();
  expect((await other.ask(authRoutes.options, {})).body).not.toHaveProperty('demo');
  await other.stop();
});

import { appRoutes, defaultApps } from '@signalbox/contract/apps';
import { systemRoutes } from '@signalbox/contract/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { seedApps } from '../apps/apps.ts';

let server: TestServer;
let problems: string[] = [];
const tools = [
  { name: 'bash', path: '/bin/bash', version: 'GNU bash 5.2' },
  {
    name: 'ansible',
    path: '/usr/bin/ansible-playbook',
    version: 'ansible-playbook [core 2.14.18]\n  config file = None',
  },
];
beforeAll(async () => {
  server = await startTestServer({
    env: { SIGNALBOX_WEB_HOST: 'https://ops.example.org/box', SIGNALBOX_TERRAFORM_BACKEND: '0' },
    engine: { readFacts: async () => ({ tools, sharedUser: true, problems }) },
  });
});
afterAll(() => server.stop());

test('ping answers pong to everybody, as text', async () => {
  const answer = await server.call('GET', '/ping');
  expect([answer.text, answer.headers['content-type']]).toEqual(['pong', 'text/plain; charset=utf-8']);
});

test('the state tells version, features and the tools that runners have', async () => {
  const { session } = await aUser(server);
  const { body } = await server.ask(systemRoutes.state, { session });
  expect(body).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    web_host: 'https://ops.example.org/box',
    use_remote_runner: true,
    premium_features: { project_runners: true, terraform_backend: false },
    auth_methods: { totp: { allow_recovery: true } },
    ansible: 'ansible-playbook [core 2.14.18]',
    tools,
    demo_mode: false,
    shared_user: true,
  });
});

test('health is ok, degraded with the reasons, or failing when the database does not answer', async () => {
  const health = async (of = server, path = '/healthz') => {
    const { status, body } = await of.fetch('GET', path);
    return [status, body];
  };
  expect(await health()).toEqual([200, { status: 'ok', problems: [] }]);
  expect(await health(server, '/box/healthz')).toEqual([200, { status: 'ok', problems: [] }]);
  problems = ['No runner is online'];
  expect(await health()).toEqual([200, { status: 'degraded', problems }]);
  problems = [];
  const broken = await startTestServer();
  await broken.engine.stop();
  await broken.database.close();
  expect(await health(broken)).toEqual([503, { status: 'failing', problems: ['The database does not answer'] }]);
  await broken.http.fastify.close();
});

test('the seven apps are there, active, by priority, and a second start changes nothing of them', async () => {
  const { session } = await aUser(server);
  const list = async () => (await server.ask(appRoutes.list, { session })).body;
  const apps = await list();
  expect(apps.map(({ id }) => id).toSorted()).toEqual(defaultApps.toSorted());
  expect(apps.map(({ id }) => id)).toEqual(['ansible', 'terraform', 'tofu', 'bash', 'powershell', 'python', 'pulumi']);
  expect(apps.every(({ active, args, path }) => active && args === null && path === '')).toBe(true);
  await server.database.transact((db) =>
    db.updateTable('app').set({ active: false, args: '["-x"]' }).where('id', '=', 'bash').execute(),
  );
  await seedApps(server.database);
  expect((await list()).find(({ id }) => id === 'bash')).toMatchObject({ active: false, args: ['-x'] });
});

import { generateKeyPairSync } from 'node:crypto';
import { type Registration, runnerRegistrationRoutes } from '@signalbox/contract/runner-registrations';
import { runnerRoutes } from '@signalbox/contract/runners';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { type EngineServer, startEngineServer, TestClock } from '../../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let admin: TestUser;
let clock: TestClock;

beforeEach(async () => {
  clock = new TestClock();
  server = await startEngineServer({ clock });
  project = await aProject(server);
  admin = await aUser(server, { admin: true });
}, 60_000);
afterEach(() => server.stop());

async function permit(body: Record<string, unknown> = {}): Promise<Registration> {
  return (await server.ask(runnerRegistrationRoutes.create, { body, session: admin.session })).body;
}

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    public_key: Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64'),
    pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

function register(token: string, change: Record<string, unknown> = {}) {
  const body = { registration_token: token, name: 'east', public_key: makeKey().public_key, ...change };
  return server.call('POST', '/internal/runners/register', { body });
}

const listAll = async () => (await server.ask(runnerRoutes.list, { session: admin.session })).body;

describe('a registration token', () => {
  test('registers one runner, which is active, and has the tag and the limit that were decided before', async () => {
    const { token } = await permit({ tag: 'edge', max_parallel_tasks: 3 });
    const answer = await register(token, { tag: 'other', max_parallel_tasks: 100, project_id: project.id });
    expect(answer.status, answer.text).toBe(201);
    const shown = { name: 'east', tag: 'edge', max_parallel_tasks: 3, active: true, project_id: null };
    expect(await listAll()).toMatchObject([shown]);
    expect((await register(token)).status).toBe(401);
    expect((await listAll()).length).toBe(1);
  });

  test('registers one runner, however many come with it at the same moment', async () => {
    const { token } = await permit();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => register(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
    expect((await listAll()).length).toBe(1);
  });

  test('is good for an hour, or as long as was said', async () => {
    const usual = await permit();
    const short = await permit({ expires_in_seconds: 60 });
    clock.advance(61_000);
    expect((await register(short.token)).status).toBe(401);
    expect((await register(usual.token)).status).toBe(201);
    const late = await permit();
    clock.advance(3_601_000);
    expect((await register(late.token)).status).toBe(401);
  });

  test('is not spent by a call that is refused', async () => {
    const { token } = await permit();
    for (const wrong of [{ public_key: 'short' }, { name: '' }, { public_key: undefined }]) {
      expect((await register(token, wrong)).status).toBe(400);
    }
    expect((await register(token)).status).toBe(201);
  });

  test('is stored as a hash, and neither it nor the token of the runner is in the activity list', async () => {
    const { token } = await permit();
    const { body } = await register(token);
    const rows = await server.database.read.selectFrom('runner_registration').selectAll().execute();
    const events = await server.database.read.selectFrom('event').selectAll().execute();
    const everything = JSON.stringify([rows, events, await listAll()]);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain((body as { token: string }).token);
    expect(events.map(({ description }) => description)).toContain('Runner east registered itself');
  });

  test('of a project makes a runner of that project, and needs a tag', async () => {
    const { session } = project.manager;
    const path = `/project/${project.id}/runner_registrations`;
    expect((await server.call('POST', path, { session, body: {} })).status).toBe(400);
    const made = await server.call('POST', path, { session, body: { tag: 'own' } });
    expect((await register((made.body as Registration).token)).status).toBe(201);
    expect(await listAll()).toMatchObject([{ project_id: project.id, tag: 'own' }]);
  });
});

describe('a runner that has registered itself', () => {
  async function aRegistered() {
    const { token } = await permit();
    const key = makeKey();
    const { body } = await register(token, { public_key: key.public_key });
    const { id, token: own } = body as { id: number; token: string };
    return { id, token: own, peer: new RunnerPeer(own, server.url).takeKey(key.pem) };
  }

  async function launch(): Promise<number> {
    const { body } = await server.ask(taskRoutes.create, {
      params: { project_id: project.id },
      body: { template_id: await aTemplate(server, project) },
      session: project.runner.session,
    });
    return body.id;
  }

  test('gets tasks that are sealed to the key that it made', async () => {
    const { peer, token } = await aRegistered();
    const id = await launch();
    await expect(new RunnerPeer(token, server.url).sync()).rejects.toThrow(/^401 .*another key/);
    await peer.sync();
    expect(peer.jobs.get(id)).toMatchObject({ task_id: id });
  });

  test('unregisters itself, and its token opens nothing any more', async () => {
    const { peer } = await aRegistered();
    await peer.post('unregister', {});
    expect(await listAll()).toEqual([]);
    await expect(peer.sync()).rejects.toThrow('401');
    await expect(peer.post('unregister', {})).rejects.toThrow('401');
  });

  test('does not unregister with a task in hand', async () => {
    const { peer } = await aRegistered();
    const id = await launch();
    await peer.sync();
    await expect(peer.post('unregister', {})).rejects.toThrow(new RegExp(`^409 .*#${id}`));
    expect((await listAll()).length).toBe(1);
  });
});

import { createPrivateKey, createPublicKey } from 'node:crypto';
import { type CreatedRunner, projectRunnerRoutes, type Runner, runnerRoutes } from '@signalbox/contract/runners';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { type EngineServer, startEngineServer } from '../../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let admin: TestUser;

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  admin = await aUser(server, { admin: true });
}, 60_000);
afterEach(() => server.stop());

async function create(body: Record<string, unknown> = {}): Promise<CreatedRunner> {
  const answer = await server.call('POST', '/runners', {
    session: admin.session,
    body: { name: 'north', active: true, ...body },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as CreatedRunner;
}

async function createOwn(body: Record<string, unknown> = {}): Promise<CreatedRunner> {
  const answer = await server.call('POST', `/project/${project.id}/runners`, {
    session: project.manager.session,
    body: { name: 'own', tag: 'edge', active: true, ...body },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as CreatedRunner;
}

async function read(id: number): Promise<Runner> {
  return (await server.ask(runnerRoutes.get, { params: { runner_id: id }, session: admin.session })).body;
}

function change(id: number, body: Record<string, unknown>, method: 'PUT' | 'POST' = 'PUT') {
  return server.call(method, `/runners/${id}`, { session: admin.session, body });
}

async function listEvents() {
  return await server.database.read
    .selectFrom('event')
    .select(['project_id', 'user_id', 'object_id', 'object_name', 'description'])
    .where('object_type', '=', 'runner')
    .orderBy('id')
    .execute();
}

/** A process of the runner that was created, with its own token and key. */
function aPeer({ token, private_key }: CreatedRunner): RunnerPeer {
  return new RunnerPeer(token, server.url).takeKey(private_key);
}

async function launch(templateId: number): Promise<number> {
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: templateId },
    session: project.runner.session,
  });
  return body.id;
}

describe('a new runner', () => {
  test('shows its token and its private key once, and only a digest and the public half are stored', async () => {
    const { token, private_key: pem, ...runner } = await create({ tag: '', webhook: 'https://hook.example.org/x' });
    expect(runner).toMatchObject({
      project_id: null,
      name: 'north',
      tag: '',
      webhook: 'https://hook.example.org/x',
      max_parallel_tasks: 0,
      active: true,
      online: false,
      last_seen: null,
      stray_mode: null,
      tools: [],
    });
    const key = createPrivateKey(pem);
    expect(key.asymmetricKeyType).toBe('x25519');
    const row = await server.database.read.selectFrom('runner').selectAll().executeTakeFirstOrThrow();
    const { x } = createPublicKey(key).export({ format: 'jwk' });
    expect(row.public_key).toBe(Buffer.from(String(x), 'base64url').toString('base64'));
    expect(row.token_hash).toMatch(/^[0-9a-f]{64}$/);
    const everything = JSON.stringify([await read(runner.id), await listEvents(), row]);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(pem.split('\n')[1]);
    expect(JSON.stringify([await read(runner.id)])).not.toMatch(/token|public_key|private_key/);
  });

  test('runs tasks with its token and its key, and is then online with what it says of itself', async () => {
    const created = await create();
    const peer = aPeer(created);
    const id = await launch(await aTemplate(server, project));
    await peer.sync();
    expect(peer.jobs.get(id)).toMatchObject({ task_id: id });
    expect(await read(created.id)).toMatchObject({
      online: true,
      last_seen: expect.stringMatching(/^\d{4}-/),
      version: '0.1.0',
      hostname: 'peer',
      stray_mode: 'scan',
      tools: [],
    });
  });

  test('that has no private key gets nothing with its token alone', async () => {
    const { token } = await create();
    await launch(await aTemplate(server, project));
    const thief = new RunnerPeer(token, server.url);
    await expect(thief.sync()).rejects.toThrow(/^401 .*another key/);
  });

  test('is switched off unless it is said otherwise, and then gets no task', async () => {
    const created = await create({ active: undefined });
    expect(created.active).toBe(false);
    const id = await launch(await aTemplate(server, project));
    const peer = aPeer(created);
    const answer = peer.sync();
    const response = await server.call('POST', `/runners/${created.id}/active`, {
      session: admin.session,
      body: { active: true },
    });
    expect(response.status).toBe(204);
    expect((await answer).jobs).toEqual([]);
    await peer.sync();
    expect([...peer.jobs.keys()]).toEqual([id]);
  });

  const wrong: [string, Record<string, unknown>, string][] = [
    ['no name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['a limit below 0', { max_parallel_tasks: -1 }, 'max_parallel_tasks'],
    ['a limit that is no integer', { max_parallel_tasks: 1.5 }, 'max_parallel_tasks'],
    ['a webhook that is no address', { webhook: 'file:///etc/passwd' }, 'webhook'],
    ['a webhook with a password', { webhook: 'https://user:secret@hook.example.org/' }, 'webhook'],
    ['a tag with NUL', { tag: 'a\0b' }, 'tag'],
    ['a project', { project_id: 1 }, 'project_id'],
    ['a flag that is text', { active: 'yes' }, 'active'],
  ];
  test.each(wrong)('with %s is refused, and nothing is stored', async (_name, body, field) => {
    const answer = await server.call('POST', '/runners', { session: admin.session, body: { name: 'north', ...body } });
    expect(answer.status).toBe(400);
    expect(answer.error.details).toMatchObject([{ path: field }]);
    expect(await server.database.read.selectFrom('runner').selectAll().execute()).toEqual([]);
    expect(await listEvents()).toEqual([]);
  });
});

describe('a change', () => {
  test.each(['PUT', 'POST'] as const)('by %s keeps what it does not name, and the token', async (method) => {
    const created = await create({ tag: 'gpu', max_parallel_tasks: 3, webhook: 'https://hook.example.org/' });
    expect((await change(created.id, { id: created.id, name: 'south' }, method)).status).toBe(204);
    expect(await read(created.id)).toMatchObject({
      name: 'south',
      tag: 'gpu',
      max_parallel_tasks: 3,
      webhook: 'https://hook.example.org/',
      active: true,
    });
    const peer = aPeer(created);
    const id = await launch(await aTemplate(server, project, { runner_tag: 'gpu' }));
    await peer.sync();
    expect([...peer.jobs.keys()]).toEqual([id]);
  });

  test('takes null for what shall be empty', async () => {
    const { id } = await create({ tag: 'gpu', max_parallel_tasks: 3 });
    expect((await change(id, { name: 'north', tag: null, max_parallel_tasks: null })).status).toBe(204);
    expect(await read(id)).toMatchObject({ tag: '', max_parallel_tasks: 0 });
  });

  test('of another id, without a name, or of no runner is refused', async () => {
    const { id } = await create();
    expect((await change(id, { id: id + 1, name: 'x' })).status).toBe(400);
    expect((await change(id, { tag: 'x' })).status).toBe(400);
    expect((await change(4711, { name: 'x' })).status).toBe(404);
    expect(await read(id)).toMatchObject({ name: 'north', tag: '' });
  });

  test('is in the activity list, with who made it', async () => {
    const { id } = await create();
    await change(id, { name: 'south' });
    const session = admin.session;
    await server.call('POST', `/runners/${id}/active`, { session, body: { active: false } });
    await server.call('DELETE', `/runners/${id}`, { session });
    const told = { project_id: null, user_id: admin.id, object_id: id };
    expect(await listEvents()).toEqual([
      { ...told, object_name: 'north', description: 'Runner north created' },
      { ...told, object_name: 'south', description: 'Runner south updated' },
      { ...told, object_name: 'south', description: 'Runner south switched off' },
      { ...told, object_name: 'south', description: 'Runner south deleted' },
    ]);
  });
});

describe('a deleted runner', () => {
  test('is gone from the lists, its token opens nothing, and its tasks still name it', async () => {
    const created = await create();
    const peer = aPeer(created);
    const id = await launch(await aTemplate(server, project));
    await peer.sync();
    await peer.start(id);
    await peer.finish(id);
    const session = admin.session;
    expect((await server.call('DELETE', `/runners/${created.id}`, { session })).status).toBe(204);
    expect((await server.call('DELETE', `/runners/${created.id}`, { session })).status).toBe(404);
    expect((await server.call('GET', `/runners/${created.id}`, { session })).status).toBe(404);
    expect((await server.ask(runnerRoutes.list, { session })).body).toEqual([]);
    await expect(peer.sync()).rejects.toThrow('401');
    const { body } = await server.ask(taskRoutes.get, {
      params: { project_id: project.id, task_id: id },
      session: project.guest.session,
    });
    expect(body).toMatchObject({ status: 'success', runner_id: created.id });
  });

  test('takes no task any more with the sync that it had open', async () => {
    const created = await create();
    const peer = aPeer(created);
    const isOver = new AbortController();
    const answer = peer.sync({}, isOver.signal).catch(() => undefined);
    await expect.poll(async () => (await read(created.id)).online).toBe(true);
    await server.call('DELETE', `/runners/${created.id}`, { session: admin.session });
    const id = await launch(await aTemplate(server, project));
    await server.engine.sweep();
    const { body } = await server.ask(taskRoutes.get, {
      params: { project_id: project.id, task_id: id },
      session: project.guest.session,
    });
    expect(body).toMatchObject({ status: 'waiting' });
    isOver.abort();
    await answer;
  });

  test('has no tasks in hand: until they have ended it stays', async () => {
    const created = await create();
    const peer = aPeer(created);
    const id = await launch(await aTemplate(server, project));
    await peer.sync();
    await peer.start(id);
    const answer = await server.call('DELETE', `/runners/${created.id}`, { session: admin.session });
    expect(answer.status).toBe(409);
    expect(answer.error).toMatchObject({ code: 'conflict', details: { tasks: [id] } });
    await peer.finish(id);
    expect((await server.call('DELETE', `/runners/${created.id}`, { session: admin.session })).status).toBe(204);
  });
});

describe('a runner of a project', () => {
  test('needs a tag, and keeps one', async () => {
    const path = `/project/${project.id}/runners`;
    const session = project.manager.session;
    for (const tag of [undefined, null, '', ' ']) {
      const answer = await server.call('POST', path, { session, body: { name: 'own', tag } });
      expect([answer.status, answer.error.details]).toEqual([400, [{ path: 'tag', message: 'is required' }]]);
    }
    const { id } = await createOwn();
    const untagged = await server.call('PUT', `${path}/${id}`, { session, body: { name: 'own', tag: '' } });
    expect(untagged.status).toBe(400);
    expect((await change(id, { name: 'own', tag: null })).status).toBe(400);
    expect(await read(id)).toMatchObject({ tag: 'edge', project_id: project.id });
  });

  test('is changed by managers, seen by guests, and listed for administrators too', async () => {
    const { id } = await createOwn();
    const global = await create();
    const params = { project_id: project.id, runner_id: id };
    const { session } = project.manager;
    expect((await server.ask(projectRunnerRoutes.update, { params, body: { name: 'new' }, session })).status).toBe(204);
    expect((await server.ask(projectRunnerRoutes.setActive, { params, body: { active: false }, session })).status).toBe(
      204,
    );
    const guest = project.guest.session;
    const { body } = await server.ask(projectRunnerRoutes.list, { params: { project_id: project.id }, session: guest });
    expect(body).toMatchObject([{ id, name: 'new', active: false, tag: 'edge' }]);
    const all = await server.ask(runnerRoutes.list, { session: admin.session });
    expect(all.body.map((runner) => runner.id).toSorted()).toEqual([id, global.id].toSorted());
    expect((await server.ask(projectRunnerRoutes.remove, { params, session })).status).toBe(204);
    expect((await listEvents()).filter((event) => event.project_id === project.id)).toHaveLength(4);
  });

  test('is not reached through another project, and a global one through none', async () => {
    const { id } = await createOwn();
    const global = await create();
    const elsewhere = await aProject(server);
    for (const [projectId, runnerId] of [
      [elsewhere.id, id],
      [project.id, global.id],
    ] as const) {
      const session = projectId === project.id ? project.owner.session : elsewhere.owner.session;
      const path = `/project/${projectId}/runners/${runnerId}`;
      const body = { name: 'taken', tag: 'x' };
      expect((await server.call('GET', path, { session })).status).toBe(404);
      expect((await server.call('PUT', path, { session, body })).status).toBe(404);
      expect((await server.call('POST', `${path}/active`, { session, body: { active: false } })).status).toBe(404);
      expect((await server.call('DELETE', path, { session })).status).toBe(404);
    }
    expect(await read(id)).toMatchObject({ name: 'own', active: true });
    expect(await read(global.id)).toMatchObject({ name: 'north', active: true });
  });

  test('is not moved to another project', async () => {
    const elsewhere = await aProject(server);
    const { id } = await createOwn();
    const answer = await change(id, { name: 'own', project_id: elsewhere.id });
    expect([answer.status, answer.error.details]).toEqual([
      400,
      [{ path: 'project_id', message: 'is not the one of the runner' }],
    ]);
  });
});

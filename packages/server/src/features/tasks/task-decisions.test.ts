import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let peer: RunnerPeer;
let shared: TestDatabase;

beforeEach(async () => {
  shared = await openTestDatabase();
  server = await startEngineServer({ database: shared });
  project = await aProject(server);
  peer = new RunnerPeer((await aRunner(server)).token, server.url);
}, 60_000);
afterEach(() => server.stop());

const place = (taskId: number) => ({ project_id: project.id, task_id: taskId });

async function launch(templateId?: number): Promise<number> {
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: templateId ?? (await aTemplate(server, project, { name: 'Plan' })) },
    session: project.runner.session,
  });
  return body.id;
}

async function read(taskId: number) {
  return (await server.ask(taskRoutes.get, { params: place(taskId), session: project.guest.session })).body;
}

const plan = { add: 1, change: 0, destroy: 0, changes: [{ address: 'local_file.a', action: 'create' as const }] };

/** A task whose runner has planned and asks whether it may go on. */
async function anAskingTask(): Promise<number> {
  const id = await launch();
  await peer.sync();
  await peer.start(id);
  const [answer] = await peer.report({ kind: 'plan', ...peer.claim(id), plan, approved: false });
  expect(answer).toMatchObject({ verdict: 'wait' });
  peer.setPhase(id, 'waiting_confirmation');
  return id;
}

function decide(taskId: number, decision: 'confirm' | 'reject', by: TestUser = project.runner) {
  const path = `/project/${project.id}/tasks/${taskId}/${decision}`;
  return server.call('POST', path, { session: by.session });
}

async function listEvents(taskId: number) {
  return await server.database.read
    .selectFrom('event')
    .select(['description', 'user_id', 'object_name'])
    .where('object_id', '=', taskId)
    .where('object_type', '=', 'task')
    .orderBy('id')
    .execute();
}

describe('a task that waits for a confirmation', () => {
  test('goes on when it is confirmed: its runner is told, and the activity list says by whom', async () => {
    const id = await anAskingTask();
    expect((await decide(id, 'confirm')).status).toBe(204);
    expect(await read(id)).toMatchObject({ status: 'confirmed' });
    const { commands } = await peer.sync();
    expect(commands).toEqual([{ kind: 'confirm', ...peer.claim(id) }]);
    const [answer] = await peer.report({ kind: 'resume', ...peer.claim(id) });
    expect(answer).toMatchObject({ verdict: 'run' });
    expect(await read(id)).toMatchObject({ status: 'running' });
    await peer.finish(id);
    expect(await read(id)).toMatchObject({ status: 'success' });
    expect(await listEvents(id)).toContainEqual({
      description: `Task ID ${id} confirmed`,
      user_id: project.runner.id,
      object_name: 'Plan',
    });
  });

  test('winds down when it is rejected, and is stopped in the end', async () => {
    const id = await anAskingTask();
    expect((await decide(id, 'reject')).status).toBe(204);
    expect(await read(id)).toMatchObject({ status: 'rejected' });
    const { commands } = await peer.sync();
    expect(commands).toEqual([{ kind: 'reject', ...peer.claim(id) }]);
    await peer.finish(id, { outcome: 'stopped' });
    expect(await read(id)).toMatchObject({ status: 'stopped' });
    expect((await listEvents(id)).map((event) => event.description)).toContain(`Task ID ${id} rejected`);
  });

  test('is decided once, whoever asks at the same time', async () => {
    const id = await anAskingTask();
    const answers = await Promise.all([decide(id, 'confirm'), decide(id, 'reject'), decide(id, 'confirm')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409, 409]);
    const events = (await listEvents(id)).filter(({ description }) => /confirmed|rejected/.test(description));
    expect(events).toHaveLength(1);
  });

  test('is decided once by two servers of one database, and its runner hears of it from the other one', async () => {
    const id = await anAskingTask();
    const other = await startEngineServer({ database: shared });
    const ask = (at: EngineServer, decision: 'confirm' | 'reject') =>
      at.call('POST', `/project/${project.id}/tasks/${id}/${decision}`, { session: project.runner.session });
    const answers = await Promise.all([
      ask(server, 'confirm'),
      ask(other, 'reject'),
      ask(server, 'reject'),
      ask(other, 'confirm'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409, 409, 409]);
    const { status } = await read(id);
    const { commands } = await peer.at(other.url).sync();
    expect(commands).toEqual([{ kind: status === 'confirmed' ? 'confirm' : 'reject', ...peer.claim(id) }]);
    await other.halt();
  });

  test('is not confirmed any more when its time is over, and is still rejected', async () => {
    const id = await anAskingTask();
    await server.database.transact((db) =>
      db.updateTable('task').set({ expires: server.engine.now() }).where('id', '=', id).execute(),
    );
    expect((await decide(id, 'confirm')).error).toMatchObject({
      code: 'conflict',
      error: expect.stringContaining('expired'),
    });
    expect(await read(id)).toMatchObject({ status: 'waiting_confirmation' });
    expect((await decide(id, 'reject')).status).toBe(204);
  });

  test('is not decided by a guest', async () => {
    const id = await anAskingTask();
    expect((await decide(id, 'confirm', project.guest)).status).toBe(403);
    expect((await decide(id, 'reject', project.guest)).status).toBe(403);
    expect(await read(id)).toMatchObject({ status: 'waiting_confirmation' });
  });
});

describe.each(['confirm', 'reject'] as const)('to %s', (decision) => {
  test('a task that waits, runs or has ended is refused, and changes nothing', async () => {
    const id = await launch();
    const codes: (string | undefined)[] = [];
    codes.push((await decide(id, decision)).error.code);
    await peer.sync();
    await peer.start(id);
    codes.push((await decide(id, decision)).error.code);
    await peer.finish(id);
    codes.push((await decide(id, decision)).error.code);
    expect(codes).toEqual(['conflict', 'conflict', 'task_final']);
    expect(await read(id)).toMatchObject({ status: 'success' });
  });

  test('a task of another project, or none, is not found', async () => {
    const id = await anAskingTask();
    const elsewhere = await aProject(server);
    const path = `/project/${elsewhere.id}/tasks/${id}/${decision}`;
    expect((await server.call('POST', path, { session: elsewhere.owner.session })).status).toBe(404);
    expect((await decide(4711, decision)).status).toBe(404);
    expect(await read(id)).toMatchObject({ status: 'waiting_confirmation' });
  });
});

describe('a task is deleted', () => {
  const remove = (taskId: number, by: TestUser, projectId = project.id) =>
    server.call('DELETE', `/project/${projectId}/tasks/${taskId}`, { session: by.session });

  async function anEndedTask(templateId?: number): Promise<number> {
    const id = await launch(templateId);
    await expect.poll(async () => peer.jobs.has(id) || (await peer.sync()).jobs.length > 0).toBe(true);
    await peer.start(id);
    await peer.write(id, 'a line');
    await peer.finish(id);
    return id;
  }

  test('by an administrator, with its log, and the template counts one less', async () => {
    const admin = await aUser(server, { admin: true });
    const templateId = await aTemplate(server, project, { name: 'Site' });
    const first = await anEndedTask(templateId);
    const second = await anEndedTask(templateId);
    expect((await remove(second, admin)).status).toBe(204);
    expect((await remove(second, admin)).status).toBe(404);
    const { body } = await server.call('GET', `/project/${project.id}/templates/${templateId}`, {
      session: project.guest.session,
    });
    expect(body).toMatchObject({ tasks: 1, last_task_id: first, last_task: { id: first } });
    await server.engine.sweep();
    const chunks = await server.database.logs.read.selectFrom('log_chunk').select('task_id').execute();
    expect(chunks.map((chunk) => chunk.task_id)).toEqual([first]);
    expect((await listEvents(second)).at(-1)).toMatchObject({
      description: `Task ID ${second} deleted`,
      user_id: admin.id,
      object_name: 'Site',
    });
    await remove(first, admin);
    const after = await server.database.read.selectFrom('template').selectAll().executeTakeFirstOrThrow();
    expect(after).toMatchObject({ task_count: 0, last_task_id: null });
  });

  test('by nobody else', async () => {
    const id = await anEndedTask();
    for (const user of [project.guest, project.runner, project.manager, project.owner]) {
      expect((await remove(id, user)).status).toBe(403);
    }
    expect((await remove(id, project.stranger)).status).toBe(404);
    expect(await read(id)).toMatchObject({ id });
  });

  test('only when it has ended, and only in its own project', async () => {
    const admin = await aUser(server, { admin: true });
    const id = await launch();
    expect((await remove(id, admin)).error.code).toBe('conflict');
    const elsewhere = await aProject(server);
    expect((await remove(id, admin, elsewhere.id)).status).toBe(404);
    expect(await read(id)).toMatchObject({ status: 'waiting' });
  });

  test('and a deploy of it stays, without its build', async () => {
    const admin = await aUser(server, { admin: true });
    const buildTemplate = await aTemplate(server, project, { type: 'build', start_version: '1.0.0' });
    const build = await anEndedTask(buildTemplate);
    const deployTemplate = await aTemplate(server, project, { type: 'deploy', build_template_id: buildTemplate });
    const { body } = await server.ask(taskRoutes.create, {
      params: { project_id: project.id },
      body: { template_id: deployTemplate, build_task_id: build },
      session: project.runner.session,
    });
    expect((await read(body.id)).build_task).toMatchObject({ id: build, version: '1.0.0', status: 'success' });
    expect((await remove(build, admin)).status).toBe(204);
    expect(await read(body.id)).toMatchObject({ build_task_id: null, build_task: null });
  });
});

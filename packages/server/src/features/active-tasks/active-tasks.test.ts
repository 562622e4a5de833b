import { activeTaskRoutes } from '@signalbox/contract/active-tasks';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { insertTask } from '../../test/rows.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer, type TestRunner } from '../../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let other: TestProject;
let admin: TestUser;
let runner: TestRunner;
let peer: RunnerPeer;

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  other = await aProject(server);
  admin = await aUser(server, { admin: true });
  runner = await aRunner(server);
  peer = new RunnerPeer(runner.token, server.url);
}, 60_000);
afterEach(() => server.stop());

async function launch(of: TestProject, templateId?: number): Promise<number> {
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: of.id },
    body: { template_id: templateId ?? (await aTemplate(server, of)) },
    session: of.runner.session,
  });
  return body.id;
}

async function list() {
  return (await server.ask(activeTaskRoutes.list, { session: admin.session })).body;
}

const stop = (taskId: number) => server.call('DELETE', `/tasks/${taskId}`, { session: admin.session });

test('active tasks are those of all projects that have not ended: the queue first, then what runs', async () => {
  const ended = await launch(project);
  const templateId = await aTemplate(server, project);
  const running = await launch(project, templateId);
  await peer.sync();
  await peer.start(running);
  await peer.start(ended);
  await peer.finish(ended);
  const waiting = await launch(project, templateId);
  const elsewhere = await launch(other);
  const template_id = await aTemplate(server, other);
  // As the built-in runner has it, which has no registration.
  const builtIn = await server.database.transact((db) =>
    insertTask(db, { project_id: other.id, template_id, status: 'running' }),
  );
  const names = new Map(
    (await server.database.read.selectFrom('project').select(['id', 'name']).execute()).map(({ id, name }) => [
      id,
      name,
    ]),
  );
  const own = { project_id: project.id, project_name: names.get(project.id), username: project.runner.actor.username };
  const foreign = { project_id: other.id, project_name: names.get(other.id) };
  const noRunner = { runner_id: null, runner_name: null };
  expect(await list()).toEqual([
    { task_id: waiting, ...own, status: 'waiting', location: 'queue', ...noRunner },
    {
      task_id: elsewhere,
      ...foreign,
      username: other.runner.actor.username,
      status: 'waiting',
      location: 'queue',
      ...noRunner,
    },
    { task_id: running, ...own, status: 'running', location: 'running', runner_id: runner.id, runner_name: 'runner' },
    { task_id: builtIn, ...foreign, username: null, status: 'running', location: 'running', ...noRunner },
  ]);
});

test('an administrator stops a task of any project, and the activity list of the project says so', async () => {
  const waiting = await launch(project);
  expect((await stop(waiting)).status).toBe(204);
  expect(await list()).toEqual([]);
  const events = await server.database.read
    .selectFrom('event')
    .select(['description', 'user_id', 'project_id'])
    .where('user_id', '=', admin.id)
    .execute();
  expect(events).toEqual([
    { description: `Task ID ${waiting}: stop requested`, user_id: admin.id, project_id: project.id },
  ]);
});

test('a running task is asked to stop, not killed', async () => {
  const running = await launch(project);
  await peer.sync();
  await peer.start(running);
  expect((await stop(running)).status).toBe(204);
  expect(await list()).toMatchObject([{ task_id: running, status: 'stopping', location: 'running' }]);
  expect((await peer.sync()).commands).toEqual([{ kind: 'stop', ...peer.claim(running) }]);
});

test('what has ended or never was cannot be stopped', async () => {
  const id = await launch(project);
  await stop(id);
  expect((await stop(id)).error.code).toBe('task_final');
  expect((await stop(4711)).status).toBe(404);
  for (const bad of ['0', 'x', '-1']) {
    expect((await server.call('DELETE', `/tasks/${bad}`, { session: admin.session })).status).toBe(400);
  }
});

test('an owner of a project sees and stops nothing here', async () => {
  const id = await launch(project);
  const { session } = project.owner;
  expect((await server.call('GET', '/tasks', { session })).status).toBe(403);
  expect((await server.call('DELETE', `/tasks/${id}`, { session })).status).toBe(403);
  expect(await list()).toMatchObject([{ task_id: id, status: 'waiting' }]);
});

import { projectRoutes } from '@signalbox/contract/projects';
import { runnerRoutes } from '@signalbox/contract/runners';
import { taskRoutes } from '@signalbox/contract/tasks';
import { templateRoutes } from '@signalbox/contract/templates';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aProject, aTemplate, aUser, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
beforeEach(async () => {
  server = await startEngineServer({ settings: { maxParallelTasks: 2 } });
  project = await aProject(server);
}, 60_000);
afterEach(() => server.stop());

async function launch(template_id: number, of = project): Promise<number> {
  const call = { params: { project_id: of.id }, body: { template_id }, session: of.owner.session };
  return (await server.ask(taskRoutes.create, call)).body.id;
}

const read = async (task_id: number, of = project) =>
  (await server.ask(taskRoutes.get, { params: { project_id: of.id, task_id }, session: of.owner.session })).body;

/** What a person reads at a task that waits. */
const expectReason = (id: number, reason: object, of = project) =>
  expect.poll(async () => (await read(id, of)).waiting_reason, { timeout: 15_000 }).toEqual(reason);

/** Keeps a sync open, as a runner does, until the server ends. */
async function stayOnline(peer: RunnerPeer): Promise<void> {
  try {
    for (;;) await peer.sync();
  } catch {
    // The server has ended, and with it the test.
  }
}

async function change(body: object, path: 'project' | { template: number }): Promise<void> {
  const { session } = project.owner;
  const place = { project_id: project.id };
  if (path === 'project') {
    const { body: now } = await server.ask(projectRoutes.get, { params: place, session });
    await server.ask(projectRoutes.update, { params: place, body: { ...now, ...body }, session });
    return;
  }
  const params = { ...place, template_id: path.template };
  const { body: now } = await server.ask(templateRoutes.get, { params, session });
  await server.ask(templateRoutes.update, { params, body: { ...now, ...body }, session });
}

test('a task says why it waits: no runner, none with its tag, a busy template, a full project, server or runner', async () => {
  const first = await aTemplate(server, project);
  const second = await aTemplate(server, project);
  const tagged = await aTemplate(server, project);
  const lonely = await launch(first);
  await expectReason(lonely, { code: 'no_runner', text: 'No runner is online', blockers: [] });

  const runner = await aRunner(server);
  const peer = new RunnerPeer(runner.token, server.url);
  await peer.sync();
  await peer.start(lonely);
  void stayOnline(peer);
  expect((await read(lonely)).waiting_reason).toBeNull();

  const behind = await launch(first);
  const text = `Waits for #${lonely} of the same template`;
  await expectReason(behind, { code: 'template_busy', text, blockers: [lonely] });
  const last = await launch(first);
  await expectReason(last, {
    code: 'template_busy',
    text: 'Waits for earlier tasks of the same template',
    blockers: [],
  });

  await change({ runner_tag: 'gpu' }, { template: tagged });
  const special = await launch(tagged);
  await expectReason(special, { code: 'no_runner', text: 'No runner with the tag "gpu" is online', blockers: [] });

  await change({ max_parallel_tasks: 1 }, 'project');
  const held = await launch(second);
  await expectReason(held, {
    code: 'project_full',
    text: 'The project runs its limit of 1 task at a time',
    blockers: [lonely],
  });

  const admin = await aUser(server, { admin: true });
  const params = { runner_id: runner.id };
  const { body: registered } = await server.ask(runnerRoutes.get, { params, session: admin.session });
  await server.ask(runnerRoutes.update, {
    params,
    body: { ...registered, max_parallel_tasks: 1 },
    session: admin.session,
  });
  await change({ max_parallel_tasks: 0 }, 'project');
  await expectReason(held, { code: 'runner_full', text: 'Its runner has no free slot', blockers: [] });

  const other = await aProject(server);
  await server.ask(runnerRoutes.update, {
    params,
    body: { ...registered, max_parallel_tasks: 0 },
    session: admin.session,
  });
  await expect.poll(async () => (await read(held)).status, { timeout: 15_000 }).toBe('starting');
  const outside = await launch(await aTemplate(server, other), other);
  await expectReason(
    outside,
    { code: 'server_full', text: 'The server runs its limit of 2 tasks at a time', blockers: [] },
    other,
  );
}, 90_000);

test('a project with many waiting tasks does not keep another one waiting, also where one task runs at a time', async () => {
  await server.stop();
  server = await startEngineServer({ settings: { maxParallelTasks: 1 } });
  project = await aProject(server);
  const other = await aProject(server);
  const ids: number[] = [];
  for (let count = 0; count < 4; count += 1) ids.push(await launch(await aTemplate(server, project)));
  const late = [
    await launch(await aTemplate(server, other), other),
    await launch(await aTemplate(server, other), other),
  ];
  const runner = await aRunner(server);
  const peer = new RunnerPeer(runner.token, server.url);
  const order: number[] = [];
  while (order.length < 6) {
    const { jobs } = await peer.sync();
    for (const { task_id } of jobs) {
      order.push(task_id);
      await peer.start(task_id);
      await peer.finish(task_id);
    }
  }
  expect(order).toEqual([ids[0], late[0], ids[1], late[1], ids[2], ids[3]]);
}, 90_000);

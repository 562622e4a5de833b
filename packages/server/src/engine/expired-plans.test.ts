import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer, TestClock } from '../test/start-engine-server.ts';

const hour = 3_600_000;

let clock: TestClock;
let server: EngineServer;
let project: TestProject;
let peer: RunnerPeer;
beforeEach(async () => {
  clock = new TestClock();
  server = await startEngineServer({ clock, settings: { confirmMs: 2 * hour, maxParallelTasks: 1 } });
  project = await aProject(server);
  peer = new RunnerPeer((await aRunner(server, { limit: 1 })).token, server.url);
}, 60_000);
afterEach(() => server.stop());

async function launch(templateId: number): Promise<number> {
  const call = {
    params: { project_id: project.id },
    body: { template_id: templateId },
    session: project.owner.session,
  };
  return (await server.ask(taskRoutes.create, call)).body.id;
}

const read = async (task_id: number) =>
  (await server.ask(taskRoutes.get, { params: { project_id: project.id, task_id }, session: project.owner.session }))
    .body;

/** A task whose plan waits for a person. */
async function aWaitingPlan(templateId: number): Promise<number> {
  const id = await launch(templateId);
  await peer.sync();
  await peer.start(id);
  const plan = { add: 1, change: 0, destroy: 0, changes: [{ address: 'a.b', action: 'create' as const }] };
  await peer.report({ kind: 'plan', ...peer.claim(id), plan, approved: false });
  peer.setPhase(id, 'waiting_confirmation');
  return id;
}

test('a plan that nobody decides about in time is stopped with that reason, and its runner is told', async () => {
  const id = await aWaitingPlan(await aTemplate(server, project));
  expect((await read(id)).status).toBe('waiting_confirmation');
  clock.advance(2 * hour - 10_000);
  await server.engine.sweep();
  expect((await read(id)).status).toBe('waiting_confirmation');
  clock.advance(20_000);
  await server.engine.sweep();
  expect(await read(id)).toMatchObject({ status: 'stopping', stop_requested: 'soft' });
  const { commands } = await peer.sync();
  expect(commands).toEqual([{ kind: 'stop', ...peer.claim(id) }]);
  await peer.finish(id, { outcome: 'stopped', reason: 'The task was stopped' });
  expect(await read(id)).toMatchObject({ status: 'stopped', reason: 'nobody confirmed its plan in time' });
}, 60_000);

test('a plan that waits keeps its template busy, and takes no slot of server and runner', async () => {
  const template = await aTemplate(server, project);
  const planned = await aWaitingPlan(template);
  const behind = await launch(template);
  const beside = await launch(await aTemplate(server, project));
  const { jobs } = await peer.sync();
  expect(jobs.map(({ task_id }) => task_id)).toEqual([beside]);
  await server.engine.sweep();
  await expect
    .poll(async () => (await read(behind)).waiting_reason, { timeout: 10_000 })
    .toMatchObject({ code: 'template_busy', blockers: [planned] });
});

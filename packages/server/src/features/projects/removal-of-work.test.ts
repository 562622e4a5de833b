import { projectRoutes } from '@signalbox/contract/projects';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
}, 60_000);
afterEach(() => server.stop());

async function launch(template_id: number): Promise<number> {
  const params = { project_id: project.id };
  const { session } = project.owner;
  return (await server.ask(taskRoutes.create, { params, body: { template_id }, session })).body.id;
}

const remove = () =>
  server.ask(projectRoutes.remove, { params: { project_id: project.id }, session: project.owner.session });
const findProject = () =>
  server.database.read.selectFrom('project').select('id').where('id', '=', project.id).executeTakeFirst();

test('the runner of a deleted project is told to stop what it runs, and gets nothing of what waits', async () => {
  const runner = await aRunner(server, { projectId: project.id });
  const peer = new RunnerPeer(runner.token, server.url);
  const templateId = await aTemplate(server, project);
  const running = await launch(templateId);
  await peer.sync();
  expect(await peer.start(running)).toMatchObject({ verdict: 'run' });
  await launch(templateId);
  const open = peer.sync();
  expect((await remove()).status).toBe(204);
  expect((await open).commands).toEqual([{ kind: 'stop', ...peer.claim(running) }]);
  // Until then it is heard, although it is a runner of the project.
  expect(await findProject()).toBeDefined();
  expect(await peer.finish(running, { outcome: 'stopped' })).toMatchObject({ verdict: 'done' });
  await expect.poll(findProject, { timeout: 20_000 }).toBeUndefined();
  expect(await server.database.read.selectFrom('task').select('id').execute()).toEqual([]);
  expect(await server.database.read.selectFrom('runner').select('id').execute()).toEqual([]);
});

test('a task that was about to start is not started', async () => {
  const runner = await aRunner(server);
  const peer = new RunnerPeer(runner.token, server.url);
  const taskId = await launch(await aTemplate(server, project));
  await peer.sync();
  expect((await remove()).status).toBe(204);
  expect(await peer.start(taskId)).toMatchObject({ verdict: 'stop' });
  expect(await peer.finish(taskId, { outcome: 'stopped' })).toMatchObject({ verdict: 'done' });
  await expect.poll(findProject, { timeout: 20_000 }).toBeUndefined();
});

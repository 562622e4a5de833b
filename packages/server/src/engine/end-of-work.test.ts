import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let peer: RunnerPeer;
beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  peer = new RunnerPeer((await aRunner(server)).token, server.url);
}, 60_000);
afterEach(() => server.stop());

const launch = async () =>
  server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: await aTemplate(server, project) },
    session: project.owner.session,
  });

test('a server that is about to end takes no launch, hands out no task, and hears the ends of those that run', async () => {
  const running = (await launch()).body.id;
  await peer.sync();
  await peer.start(running);
  const waiting = (await launch()).body.id;
  await server.engine.endWork();
  expect((await launch()).status).toBe(503);
  await peer.finish(running, { outcome: 'success' });
  const rows = await server.database.read.selectFrom('task').select(['id', 'status']).orderBy('id').execute();
  expect(rows).toEqual([
    { id: running, status: 'success' },
    { id: waiting, status: 'waiting' },
  ]);
  const [answer] = await Promise.all([peer.sync(), server.engine.sweep().then(() => server.engine.hub.close())]);
  expect(answer.jobs).toEqual([]);
});

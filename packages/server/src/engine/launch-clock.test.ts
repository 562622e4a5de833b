import { taskRoutes } from '@signalbox/contract/tasks';
import { expect, test } from 'vitest';
import { aProject, aTemplate } from '../test/factories.ts';
import { startEngineServer, TestClock } from '../test/start-engine-server.ts';

test('a task is created at the time on which all servers agree, whatever the clock of this machine says', async () => {
  const clock = new TestClock();
  const server = await startEngineServer({ clock });
  const project = await aProject(server);
  clock.advance(3_600_000);
  const before = clock.now();
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: await aTemplate(server, project) },
    session: project.owner.session,
  });
  expect(Date.parse(body.created)).toBeGreaterThanOrEqual(before);
  await server.stop();
});

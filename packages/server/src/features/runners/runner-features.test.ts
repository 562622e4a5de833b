import { expect, test } from 'vitest';
import { aProject } from '../../test/factories.ts';
import { aRunner } from '../../test/start-engine-server.ts';
import { startTestServer } from '../../test/start-test-server.ts';

test.each([
  [{}, 'good', 'good'],
  [{ SIGNALBOX_PROJECT_RUNNERS: '0' }, 'good', 'refused'],
  [{ SIGNALBOX_USE_REMOTE_RUNNER: '0' }, 'refused', 'refused'],
])('with %j the token of a global runner is %s, and that of a project runner %s', async (env, global, own) => {
  const server = await startTestServer({ env });
  const project = await aProject(server);
  const ask = async (token: string) => {
    // No runner sends this: whoever is let in is told so at once.
    const headers = { 'x-runner-token': token };
    const { status } = await server.call('POST', '/internal/runners/sync', { headers, body: {} });
    return status === 401 ? 'refused' : 'good';
  };
  expect(await ask((await aRunner(server)).token)).toBe(global);
  expect(await ask((await aRunner(server, { projectId: project.id })).token)).toBe(own);
  await server.stop();
});

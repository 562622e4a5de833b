import { afterEach, describe, expect, test } from 'vitest';
import { aProject, aUser } from '../../test/factories.ts';
import { aRunner } from '../../test/start-engine-server.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

test.each([
  [{}, 'good', 'good'],
  [{ SIGNALBOX_PROJECT_RUNNERS: '0' }, 'good', 'refused'],
  [{ SIGNALBOX_USE_REMOTE_RUNNER: '0' }, 'refused', 'refused'],
])('with %j the token of a global runner is %s, and that of a project runner %s', async (env, global, own) => {
  server = await startTestServer({ env });
  const project = await aProject(server);
  const ask = async (token: string) => {
    // No runner sends this: whoever is let in is told so at once.
    const headers = { 'x-runner-token': token };
    const { status } = await server.call('POST', '/internal/runners/sync', { headers, body: {} });
    return status === 401 ? 'refused' : 'good';
  };
  expect(await ask((await aRunner(server)).token)).toBe(global);
  expect(await ask((await aRunner(server, { projectId: project.id })).token)).toBe(own);
});

describe.each([
  ['SIGNALBOX_PROJECT_RUNNERS', 'Projects have no runners of their own on this server', 201],
  ['SIGNALBOX_USE_REMOTE_RUNNER', 'This server uses no other runner than its own', 403],
])('with %s switched off', (variable, sentence, globalStatus) => {
  test('project runners are not added, changed or switched on, but seen and deleted', async () => {
    server = await startTestServer({ env: { [variable]: '0' } });
    const project = await aProject(server);
    const { id } = await aRunner(server, { projectId: project.id, tag: 'edge' });
    const { session } = project.owner;
    const path = `/project/${project.id}/runners`;
    const body = { name: 'own', tag: 'edge', active: true };
    const refused = [
      await server.call('POST', path, { session, body }),
      await server.call('PUT', `${path}/${id}`, { session, body }),
      await server.call('POST', `${path}/${id}/active`, { session, body }),
    ];
    for (const answer of refused) {
      expect([answer.status, answer.error.code, answer.error.error]).toEqual([403, 'forbidden', sentence]);
    }
    expect((await server.call('GET', path, { session })).body).toMatchObject([{ id, name: 'runner' }]);
    const off = { session, body: { active: false } };
    expect((await server.call('POST', `${path}/${id}/active`, off)).status).toBe(204);
    expect((await server.call('DELETE', `${path}/${id}`, { session })).status).toBe(204);
    const { session: admin } = await aUser(server, { admin: true });
    expect((await server.call('POST', '/runners', { session: admin, body })).status).toBe(globalStatus);
  });
});

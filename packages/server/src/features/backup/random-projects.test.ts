import { backupRoutes, type RestoredProject } from '@signalbox/contract/backup';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aUser, type TestUser } from '../../test/factories.ts';
import { fillAtRandom } from '../../test/random-project.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
});
afterAll(() => server.stop());

test.each(Array.from({ length: 20 }, (_, at) => at + 1))(
  'backup, restore and backup of a random project give the same file (seed %i)',
  async (seed) => {
    const project = await aProject(server);
    const made = await fillAtRandom(server, project.id, project.owner, seed);
    const before = await backUp(project.id);
    const count = Object.values(before.body).reduce((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
    expect(count).toBeGreaterThanOrEqual(made);
    await server.call('DELETE', `/project/${project.id}`, { session: admin.session });
    const answer = await server.call('POST', '/projects/restore', { session: admin.session, body: before.text });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const restored = answer.body as RestoredProject;
    expect([restored.not_carried, restored.new_aliases]).toEqual([[], []]);
    expect((await backUp(restored.id)).text).toBe(before.text);
  },
);

function backUp(id: number) {
  return server.ask(backupRoutes.create, { params: { project_id: id }, session: admin.session });
}

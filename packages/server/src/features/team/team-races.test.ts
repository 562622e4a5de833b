import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { aProject, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { addMember, changeMember, removeMember } from './team.ts';

// Two servers on one PostgreSQL. The embedded database has only one.
let opened: TestDatabase;
let server: TestServer;
let other: Database;
let project: TestProject;
let second: TestUser;
beforeAll(async () => {
  opened = await openTestDatabase('postgres');
  server = await startTestServer({ database: opened });
  other = await openDatabase(opened.settings);
}, 60_000);
beforeEach(async () => {
  project = await aProject(server);
  second = await aUser(server, { role: 'owner', projectId: project.id });
});
afterAll(async () => {
  await other.close();
  await server.stop();
});

const settle = async (work: Promise<void>[]) => (await Promise.allSettled(work)).map(({ status }) => status).toSorted();

test('two servers that demote the last two owners at once leave one of them', async () => {
  const admins = [await aUser(server, { admin: true }), await aUser(server, { admin: true })] as const;
  for (let round = 0; round < 20; round += 1) {
    const results = await settle([
      changeMember(server.database, admins[0].actor, { projectId: project.id, userId: project.owner.id }, 'guest'),
      changeMember(other, admins[1].actor, { projectId: project.id, userId: second.id }, 'guest'),
    ]);
    expect(results).toEqual(['fulfilled', 'rejected']);
    const owners = await listOwners();
    expect(owners).toHaveLength(1);
    for (const userId of [project.owner.id, second.id]) {
      await changeMember(other, admins[0].actor, { projectId: project.id, userId }, 'owner');
    }
  }
});

test('two owners who remove each other at once do not both succeed', async () => {
  const results = await settle([
    removeMember(server.database, project.owner.actor, { projectId: project.id, userId: second.id }),
    removeMember(other, second.actor, { projectId: project.id, userId: project.owner.id }),
  ]);
  expect(results).toEqual(['fulfilled', 'rejected']);
  expect(await listOwners()).toHaveLength(1);
});

test('the same person is added once by two servers', async () => {
  const newcomer = await aUser(server);
  const input = { user_id: newcomer.id, role: 'guest' } as const;
  const results = await settle([
    addMember(server.database, project.owner.actor, project.id, input),
    addMember(other, second.actor, project.id, input),
  ]);
  expect(results).toEqual(['fulfilled', 'rejected']);
});

function listOwners() {
  return other.read
    .selectFrom('project_user')
    .select('user_id')
    .where('project_id', '=', project.id)
    .where('role', '=', 'owner')
    .execute();
}

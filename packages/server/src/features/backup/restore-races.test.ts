import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { aUser, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { restoreProject } from './restore.ts';

// Two servers on one PostgreSQL. The embedded database has only one.
let opened: TestDatabase;
let server: TestServer;
let other: Database;
let admin: TestUser;
beforeAll(async () => {
  opened = await openTestDatabase('postgres');
  server = await startTestServer({ database: opened });
  other = await openDatabase(opened.settings);
  admin = await aUser(server, { admin: true });
}, 60_000);
afterAll(async () => {
  await other.close();
  await server.stop();
});

test('two servers that restore the same file at once make two projects, and give each alias once', async () => {
  const rules = { nonAdminCanCreateProject: false };
  for (let round = 0; round < 10; round += 1) {
    const aliases = Array.from({ length: 5 }, (_, at) => `alias-${round}-${at}-0123456789`);
    const file = { meta: { name: `Round ${round}` }, integration_aliases: aliases };
    const restored = await Promise.all(
      [server.database, other].map((database) => restoreProject(database, rules, admin.actor, file)),
    );
    const changed = restored.map(({ new_aliases }) => new_aliases.length);
    expect(changed.toSorted()).toEqual([0, 5]);
    const rows = await other.read
      .selectFrom('integration_alias')
      .select('alias')
      .where(
        'project_id',
        'in',
        restored.map(({ id }) => id),
      )
      .execute();
    expect(new Set(rows.map(({ alias }) => alias)).size).toBe(10);
    expect(rows.map(({ alias }) => alias)).toEqual(expect.arrayContaining(aliases));
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { aProject, aTemplate } from '../../test/factories.ts';
import { insertTask } from '../../test/rows.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { ProjectRemovals } from './project-removals.ts';

// Two servers on one PostgreSQL. The embedded database has only one.
let opened: TestDatabase;
let server: TestServer;
let other: Database;
beforeAll(async () => {
  opened = await openTestDatabase('postgres');
  server = await startTestServer({ database: opened });
  other = await openDatabase(opened.settings);
}, 60_000);
afterAll(async () => {
  await other.close();
  await server.stop();
});

test('two servers that delete the same project at once delete it without an error', async () => {
  const project = await aProject(server);
  const template_id = await aTemplate(server, project, { allow_parallel_tasks: true });
  const row = { project_id: project.id, template_id, status: 'success', parallel: true } as const;
  await other.transact(async (db) => {
    for (let count = 0; count < 3000; count += 1) await insertTask(db, row);
    await db.updateTable('project').set({ deleted: 1 }).where('id', '=', project.id).execute();
  });
  const failures: string[] = [];
  const note = (message: string) => failures.push(message);
  const log = { info: note, warn: note, error: note };
  const removals = [server.database, other].map(
    (database) => new ProjectRemovals({ database, log, engine: server.engine }),
  );
  const isThere = () => other.read.selectFrom('project').select('id').where('id', '=', project.id).execute();
  while ((await isThere()).length > 0) await Promise.all(removals.map((removal) => removal.sweep()));
  await Promise.all(removals.map((removal) => removal.stop()));
  expect(failures).toEqual([]);
  expect(await other.read.selectFrom('task').select('id').where('project_id', '=', project.id).execute()).toEqual([]);
});

import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expirePlans } from '../engine/expired-plans.ts';
import { listActiveTasks } from '../features/active-tasks/queries.ts';
import { listOwnEvents, listProjectEvents } from '../features/events/queries.ts';
import { findEdges, listDays } from '../features/stats/queries.ts';
import { listTasks, listTasksByIds } from '../features/tasks/queries.ts';
import { captureQueries } from '../test/captured-queries.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { insertProject, insertTask, insertTemplate } from '../test/rows.ts';
import type { Db } from './database.ts';
import { stateFile } from './sqlite.ts';

/** The statements of the lists themselves, as the server sends them. */

let opened: TestDatabase;
let projectId: number;
let templateId: number;

beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
  await opened.database.transact(async (db) => {
    projectId = await insertProject(db);
    templateId = await insertTemplate(db, { project_id: projectId });
    const build_task_id = await insertTask(db, { project_id: projectId, template_id: templateId, status: 'success' });
    await insertTask(db, { project_id: projectId, template_id: templateId, status: 'success', build_task_id });
  });
});
afterAll(() => opened.remove());

/** How SQLite goes about what a list asks, a step a line. */
async function explain(list: (db: Db) => Promise<unknown>): Promise<string[]> {
  const { db, statements } = captureQueries(opened.database.read);
  await list(db);
  expect(statements.length).toBeGreaterThan(0);
  const connection = new DatabaseSync(stateFile(opened.dataDir), { readOnly: true });
  try {
    return statements.flatMap(({ sql }) =>
      connection
        .prepare(`explain query plan ${sql}`)
        .all()
        .map((step) => String(step.detail)),
    );
  } finally {
    connection.close();
  }
}

const page = { limit: 200, before: 1_000_000 };
const reader = { userId: 1, admin: true };
const range = { from: 0, to: 1_000_000 };

test.each<[string, RegExp, (db: Db) => Promise<unknown>]>([
  ['the tasks of a project', /USING INDEX task_project /, (db) => listTasks(db, projectId, page)],
  [
    'the tasks of a project with one status',
    /USING INDEX task_project_status /,
    (db) => listTasks(db, projectId, { ...page, status: 'error' }),
  ],
  ['the tasks of a template', /USING INDEX task_template /, (db) => listTasks(db, projectId, { ...page, templateId })],
  [
    'the tasks of a template with one status',
    /USING INDEX task_template_status /,
    (db) => listTasks(db, projectId, { ...page, templateId, status: 'success' }),
  ],
  [
    'the last tasks of templates',
    /SEARCH task USING INTEGER PRIMARY KEY/,
    (db) => listTasksByIds(db, projectId, [1, 2]),
  ],
  ['the events of a project', /USING INDEX event_project /, (db) => listProjectEvents(db, projectId, page)],
  [
    'the first and the last day of a project',
    /USING (COVERING )?INDEX task_count_bucket /,
    (db) => findEdges(db, { projectId, ...range }),
  ],
  [
    'the first and the last day of a template',
    /USING (COVERING )?INDEX task_count_template /,
    (db) => findEdges(db, { projectId, templateId, ...range }),
  ],
])('%s are found by an index, in its order', async (_, index, list) => {
  const steps = await explain(list);
  expect(steps.join('\n')).toMatch(index);
  expect(steps.filter((step) => /TEMP B-TREE|^SCAN \w+( |$)/.test(step))).toEqual([]);
});

test('active tasks are read from the indexes of those that wait and those that run', async () => {
  const steps = await explain((db) => listActiveTasks(db, 1000));
  expect(steps.join('\n')).toMatch(/USING (COVERING )?INDEX task_queue/);
  expect(steps.join('\n')).toMatch(/USING INDEX task_busy/);
  // Few tasks are busy at a time: these may be sorted.
  expect(steps.filter((step) => /SCAN (task|runner|project|user)$/.test(step))).toEqual([]);
});

test('what a sweep looks for is read from the index of what is busy', async () => {
  const steps = await explain((db) => expirePlans({ ...opened.database, read: db }, Date.now()));
  expect(steps).toEqual([expect.stringMatching(/USING INDEX task_busy \(status=\?\)/)]);
});

test('statistics are counted from the index of their time, and only days are sorted', async () => {
  const ofProject = await explain((db) => listDays(db, { projectId, ...range }, 3_600_000));
  expect(ofProject[0]).toMatch(/USING INDEX task_count_bucket \(project_id=\? AND bucket>\? AND bucket<\?\)/);
  const ofTemplate = await explain((db) => listDays(db, { projectId, templateId, ...range }, 3_600_000));
  expect(ofTemplate[0]).toMatch(/USING INDEX task_count_template \(template_id=\? AND bucket>\? AND bucket<\?\)/);
});

test('the events of all own projects are found by the indexes of each', async () => {
  const steps = await explain((db) => listOwnEvents(db, reader, page));
  expect(steps.join('\n')).toMatch(
    /SEARCH event USING (COVERING )?INDEX event_project \(project_id=\? AND rowid>\? AND rowid<\?\)|SEARCH event USING (COVERING )?INDEX event_project \(project_id=\? AND id>\? AND id<\?\)/,
  );
  expect(steps.filter((step) => /^SCAN (event|project_user)$/.test(step))).toEqual([]);
});

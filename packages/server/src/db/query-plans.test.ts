import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { logFile, stateFile } from './sqlite.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
});
afterAll(() => opened.remove());

/** How SQLite goes about a statement, a step a line. */
function explain(statement: string, file: string): string[] {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    return connection
      .prepare(`explain query plan ${statement}`)
      .all()
      .map((step) => String(step.detail));
  } finally {
    connection.close();
  }
}

const busy = `('starting', 'running', 'confirmed', 'rejected', 'stopping', 'waiting_confirmation')`;

test.each([
  [
    'the active tasks of the claim',
    `select id, template_id, project_id, runner_id, instance, status from task where status in ${busy}`,
    /^SEARCH task USING INDEX task_busy/,
  ],
  [
    'the first waiting task of a template',
    `select min(id) from task where status = 'waiting' and template_id = ?`,
    /task_waiting|task_template_status/,
  ],
  [
    'the next template with waiting tasks',
    `select min(template_id) from task where status = 'waiting' and template_id > ?`,
    /task_waiting/,
  ],
  ['what a runner process holds', `select id from task where instance = ? and status in ${busy}`, /task_instance/],
  [
    'the tasks of a project, newest first',
    'select * from task where project_id = ? order by id desc limit 200',
    /task_project /,
  ],
  [
    'the tasks of a template, newest first',
    'select * from task where template_id = ? order by id desc limit 200',
    /task_template /,
  ],
  [
    'the last success of a template',
    `select * from task where template_id = ? and status = 'success' order by id desc limit 1`,
    /task_template_status/,
  ],
  [
    'the events of a project, newest first',
    'select * from event where project_id = ? order by id desc limit 200',
    /event_project /,
  ],
  ['the session of a cookie', 'select * from session where token_hash = ?', /sqlite_autoindex_session/],
  ['the account of a name', 'select * from user where lower(username) = ?', /user_username/],
  ['the schedules that are due', 'select * from schedule where next_fire <= ?', /schedule_next_fire/],
])('%s are found by an index, in its order', (_, statement, index) => {
  const steps = explain(statement, stateFile(opened.dataDir));
  expect(steps.join('\n')).toMatch(index);
  expect(steps.filter((step) => /TEMP B-TREE|^SCAN \w+$/.test(step))).toEqual([]);
});

test('a row that is deleted finds every row that refers to it by an index', () => {
  const connection = new DatabaseSync(stateFile(opened.dataDir), { readOnly: true });
  const names = connection
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .all();
  const scans: string[] = [];
  for (const { name } of names) {
    for (const key of connection.prepare(`pragma foreign_key_list("${name}")`).all()) {
      const [step] = connection.prepare(`explain query plan select 1 from "${name}" where "${key.from}" = ?`).all();
      if (!String(step?.detail).startsWith('SEARCH')) scans.push(`${name}.${key.from}: ${step?.detail}`);
    }
  }
  connection.close();
  expect(scans).toEqual([]);
});

test('a line of a log is found by its number', () => {
  const statement = `select data from log_chunk where task_id = ? and first_line < ? and first_line >= coalesce(
    (select max(first_line) from log_chunk where task_id = ? and first_line <= ?), 1) order by first_line`;
  const steps = explain(statement, logFile(opened.dataDir));
  expect(steps[0]).toMatch(/^SEARCH log_chunk USING INDEX .* \(task_id=\? AND first_line>\? AND first_line<\?\)$/);
  expect(steps.filter((step) => /TEMP B-TREE|^SCAN \w+$/.test(step))).toEqual([]);
});

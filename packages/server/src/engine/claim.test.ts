import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import type { OnlineRunner } from './choose-tasks.ts';
import { claimTasks, explainLines } from './claim.ts';
import type { TaskRow } from './task-record.ts';
import { takeSteps } from './task-steps.ts';

let opened: TestDatabase;
let database: Database;
beforeEach(async () => {
  opened = await openTestDatabase();
  database = opened.database;
}, 60_000);
afterEach(() => opened.remove());

const builtIn: OnlineRunner = {
  instance: 'a',
  runnerId: null,
  projectId: null,
  tag: null,
  free: null,
  limit: 0,
  isHere: true,
};

async function insertProject(limit: number): Promise<number> {
  const values = { name: 'p', created: 1, alert: false, alert_chat: null, max_parallel_tasks: limit, type: '' };
  const row = await database.transact((db) =>
    db.insertInto('project').values(values).returning('id').executeTakeFirstOrThrow(),
  );
  return row.id;
}

async function insertTemplate(projectId: number): Promise<number> {
  const row = await database.transact((db) =>
    db
      .insertInto('template')
      .values({
        project_id: projectId,
        name: 't',
        description: '',
        app: 'bash',
        type: '',
        playbook: 'x.sh',
        inventory_id: null,
        repository_id: null,
        environment_id: null,
        view_id: null,
        build_template_id: null,
        start_version: null,
        autorun: false,
        arguments: null,
        allow_override_args_in_task: false,
        allow_parallel_tasks: false,
        git_branch: null,
        survey_vars: '[]',
        task_params: '{}',
        runner_tag: null,
        suppress_success_alerts: false,
        timeout_seconds: 0,
        stop_grace_seconds: null,
        last_task_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return row.id;
}

async function insertTasks(projectId: number, templateId: number, count: number, parallel = false): Promise<number[]> {
  const task = {
    project_id: projectId,
    template_id: templateId,
    status: 'waiting' as const,
    message: '',
    commit_hash: null,
    commit_message: '',
    user_id: null,
    integration_id: null,
    schedule_id: null,
    build_task_id: null,
    version: null,
    created: 1,
    start: null,
    end: null,
    params: '{}',
    playbook: '',
    environment: '{}',
    arguments: null,
    git_branch: null,
    inventory_id: null,
    runner_tag: null,
    parallel,
  };
  const rows = await database.transact((db) =>
    db
      .insertInto('task')
      .values(Array.from({ length: count }, () => task))
      .returning('id')
      .execute(),
  );
  return rows.map((row) => row.id);
}

const claim = (from: Database, change: Partial<Parameters<typeof claimTasks>[1]> = {}) =>
  claimTasks(from, { takers: [builtIn], serverLimit: 0, onlineSince: 0, explain: false, ...change });

async function end(from: Database, tasks: readonly TaskRow[]): Promise<void> {
  const steps = tasks.map((task) => ({ task, event: 'finish_error' }) as const);
  await from.transact((db) => takeSteps(db, from.keyring, steps, 2));
}

describe('a claim', () => {
  test('takes the first of each line, and of a parallel one as many as there is room for', async () => {
    const projectId = await insertProject(0);
    const serial = await insertTasks(projectId, await insertTemplate(projectId), 3);
    const parallel = await insertTasks(projectId, await insertTemplate(projectId), 5, true);
    const ids = (await claim(database, { serverLimit: 4 })).map((task) => task.id);
    expect(ids.sort((a, b) => a - b)).toEqual([serial[0], ...parallel.slice(0, 3)]);
  });

  test('gives each of its tasks a fence that counts, and a claim id of its own', async () => {
    const projectId = await insertProject(0);
    await insertTasks(projectId, await insertTemplate(projectId), 1);
    const [first] = await claim(database);
    expect(first).toMatchObject({ status: 'starting', fence: 1, instance: 'a', runner_id: null });
    if (first === undefined) throw new Error('Nothing was claimed');
    await database.transact((db) => takeSteps(db, database.keyring, [{ task: first, event: 'requeue' }], 2));
    const [second] = await claim(database);
    expect(second).toMatchObject({ id: first.id, fence: 2 });
    expect(second?.claim_id).not.toBe(first.claim_id);
  });

  test('without a runner takes nothing, and says why', async () => {
    const projectId = await insertProject(0);
    const [id = 0] = await insertTasks(projectId, await insertTemplate(projectId), 1);
    expect(await claim(database, { takers: [], explain: true })).toEqual([]);
    expect(await readReason(id)).toMatchObject({ code: 'no_runner' });
  });

  test('takes back a reason when the task starts', async () => {
    const projectId = await insertProject(0);
    const [id = 0] = await insertTasks(projectId, await insertTemplate(projectId), 1);
    await claim(database, { takers: [], explain: true });
    expect(await claim(database)).toMatchObject([{ id, waiting_reason: null }]);
  });
});

test('tasks far back in a line are told that they wait for those before them', async () => {
  const projectId = await insertProject(0);
  const ids = await insertTasks(projectId, await insertTemplate(projectId), 3);
  await claim(database, { explain: true });
  await explainLines(database);
  expect(await readReason(ids[2] ?? 0)).toMatchObject({ code: 'template_busy' });
});

async function readReason(id: number): Promise<unknown> {
  const row = await database.read.selectFrom('task').select('waiting_reason').where('id', '=', id).executeTakeFirst();
  return row?.waiting_reason ? JSON.parse(row.waiting_reason) : null;
}

test('two servers racing for 2,000 tasks keep a project limit of 1, and take none twice', async () => {
  const projects = [await insertProject(1), await insertProject(1), await insertProject(1), await insertProject(1)];
  for (const projectId of projects) {
    await insertTasks(projectId, await insertTemplate(projectId), 250, true);
    await insertTasks(projectId, await insertTemplate(projectId), 250);
  }
  const other = await openDatabase(opened.settings);
  const book = new RaceBook();
  const race = async (from: Database, instance: string): Promise<void> => {
    while (book.taken.size < 2000) {
      const claimed = await claim(from, { takers: [{ ...builtIn, instance }] });
      book.begin(claimed);
      await Promise.resolve();
      book.end(claimed);
      if (claimed.length > 0) await end(from, claimed);
      else await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  try {
    await Promise.all([race(database, 'a'), race(other, 'b'), race(database, 'c'), race(other, 'd')]);
  } finally {
    await other.close();
  }
  expect(book.violations).toBe(0);
  expect([...book.taken.values()].every((times) => times === 1)).toBe(true);
  expect(book.taken.size).toBe(2000);
}, 120_000);

/** What all servers together have in hand. */
class RaceBook {
  readonly #active = new Map<number, number>();
  readonly taken = new Map<number, number>();
  violations = 0;

  begin(tasks: readonly TaskRow[]): void {
    for (const task of tasks) {
      const count = (this.#active.get(task.project_id) ?? 0) + 1;
      if (count > 1) this.violations += 1;
      this.#active.set(task.project_id, count);
      this.taken.set(task.id, (this.taken.get(task.id) ?? 0) + 1);
    }
  }

  /** Before the end is stored: another server may claim as soon as it is. */
  end(tasks: readonly TaskRow[]): void {
    for (const task of tasks) this.#active.set(task.project_id, (this.#active.get(task.project_id) ?? 0) - 1);
  }
}

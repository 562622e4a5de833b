import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database, Db } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { insertProject, insertTask, insertTemplate } from '../test/rows.ts';
import { claimTasks } from './claim.ts';
import { takeSteps } from './task-steps.ts';

let opened: TestDatabase;
const others: Database[] = [];
beforeEach(async () => {
  opened = await openTestDatabase('postgres');
}, 60_000);
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await opened.remove();
});

async function openAnother(): Promise<Database> {
  const other = await openDatabase(opened.settings);
  others.push(other);
  return other;
}

/** Does something in a transaction of its own, and commits it when it is told to. */
async function holdOpen<T>(database: Database, work: (db: Db) => Promise<T>) {
  const done = Promise.withResolvers<T>();
  const told = Promise.withResolvers<void>();
  const committed = database.transact(async (db) => {
    done.resolve(await work(db));
    await told.promise;
  });
  return {
    value: await done.promise,
    commit: async () => {
      told.resolve();
      await committed;
    },
  };
}

/** Waits until so many connections of this database wait for a lock of another one. */
async function waitForBlocked(database: Database, count: number): Promise<void> {
  for (;;) {
    // It sends no event.
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read);
    if ((rows[0]?.waiting ?? 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const claimAs = (database: Database, instance: string) =>
  claimTasks(database, {
    takers: [{ instance, runnerId: null, projectId: null, tag: null, free: null, limit: 0, isHere: true }],
    serverLimit: 0,
    onlineSince: 0,
    explain: false,
  });

test('a task whose row commits late does not slip past a project limit of 1 while two servers claim', async () => {
  const { database } = opened;
  const [first, second, launcher, holder] = [database, await openAnother(), await openAnother(), await openAnother()];
  const place = await database.transact(async (db) => {
    const project_id = await insertProject(db, { max_parallel_tasks: 1 });
    return { project_id, template_id: await insertTemplate(db, { project_id, allow_parallel_tasks: true }) };
  });
  const task = { ...place, status: 'waiting' as const, parallel: true };
  // The older of two tasks is inserted first and committed last.
  const late = await holdOpen(launcher, (db) => insertTask(db, task));
  const early = await database.transact((db) => insertTask(db, task));
  expect(early).toBeGreaterThan(late.value);

  // One server has decided for the task that it sees, and is held up before its commit.
  const row = await holdOpen(holder, (db) => sql`select id from task where id = ${early} for update`.execute(db));
  const firstClaim = claimAs(first, 'a');
  await waitForBlocked(database, 1);
  // The late row commits, and comes first in what the other one sees; what the first one has taken is not to be seen yet.
  await late.commit();
  const secondClaim = claimAs(second, 'b');
  await waitForBlocked(database, 2);
  await row.commit();

  const [taken] = await firstClaim;
  expect(taken?.id).toBe(early);
  expect(await secondClaim).toEqual([]);
  if (taken === undefined) throw new Error('nothing was claimed');
  await database.transact((db) => takeSteps(db, database.keyring, [{ task: taken, event: 'finish_error' }], 2));
  expect((await claimAs(second, 'b')).map(({ id }) => id)).toEqual([late.value]);
});

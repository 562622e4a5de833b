import { randomBytes } from 'node:crypto';
import type { TaskStatus } from '@signalbox/contract/task-state';
import type { WaitingReason } from '@signalbox/contract/tasks';
import { sql } from 'kysely';
import type { Database, Db } from '../db/database.ts';
import { type ActiveTask, type Choice, chooseTasks, type OnlineRunner, type WaitingTask } from './choose-tasks.ts';
import { keepRegistered, listOnlineRunners } from './runner-instances.ts';
import type { TaskRow } from './task-record.ts';
import { holdsSlot, isBusy, isWaiting } from './task-sets.ts';

/** Two servers must not decide at the same time: each would see a free slot and fill it. */
const dispatchLock = 0x51b0c5;
/** Rows read of the line of a template whose tasks may run side by side, and such templates in one claim. */
const maxLine = 64;
const maxLines = 64;
/** Rows of one sweep: ten thousand at once would hold up everything else. */
const maxExplained = 1000;

export type ClaimOrder = {
  /** Runner processes that wait for work at this server, with their free slots. */
  readonly takers: readonly OnlineRunner[];
  /** 0 = unlimited. */
  readonly serverLimit: number;
  /** Runners are online that were heard of since. */
  readonly onlineSince: number;
  /** By project, when this server last started a task of it; see `chooseTasks`. */
  readonly turns?: ReadonlyMap<number, number>;
  /** Also writes down why the heads of all lines wait. */
  readonly explain: boolean;
};

type Head = {
  id: number;
  template_id: number;
  project_id: number;
  runner_tag: string | null;
  parallel: boolean;
  waiting_reason: string | null;
  project_limit: number;
};

/**
 * Takes waiting tasks for the runners that wait here: lock, read, decide, compare-and-set, in one short transaction.
 *
 * On PostgreSQL the lock is a statement of its own, so that the reads behind it see what the holder before committed: a
 * lock inside the reading statement is too late, because the snapshot is older.
 *
 * @returns the claimed tasks as they are now
 */
export async function claimTasks(database: Database, given: ClaimOrder): Promise<TaskRow[]> {
  return await database.transact(async (db) => {
    if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${dispatchLock})`.execute(db);
    const order = { ...given, takers: await keepRegistered(db, given.takers) };
    const active = await readActive(db);
    const isFull = order.serverLimit > 0 && countSlots(active) >= order.serverLimit;
    if (!order.explain && (isFull || order.takers.length === 0)) return [];
    const heads = await readHeads(db);
    if (heads.length === 0) return [];
    const lines = await readLines(db, heads, maxStarts(order, active));
    const choice = chooseTasks({
      active,
      waiting: lines.map(toWaiting),
      runners: await listRunners(db, order),
      serverLimit: order.serverLimit,
      ...(order.turns === undefined ? {} : { turns: order.turns }),
    });
    if (order.explain) await explain(db, lines, choice);
    return await takeTasks(db, choice, order.takers);
  });
}

/** Tells the tasks far back in a line that they are there; the claim looks at the heads only. */
export async function explainLines(database: Database): Promise<void> {
  const reason: WaitingReason = {
    code: 'template_busy',
    text: 'Waits for earlier tasks of the same template',
    blockers: [],
  };
  await database.transact((db) =>
    db
      .updateTable('task')
      .set({ waiting_reason: JSON.stringify(reason) })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('task as late')
          .select('late.id')
          .where(sql<boolean>`late.status = 'waiting'`)
          .where('late.waiting_reason', 'is', null)
          .where((inner) =>
            inner.exists(
              inner
                .selectFrom('task as earlier')
                .select('earlier.id')
                .whereRef('earlier.template_id', '=', 'late.template_id')
                .whereRef('earlier.id', '<', 'late.id')
                .where(sql<boolean>`earlier.status = 'waiting'`),
            ),
          )
          .limit(maxExplained),
      )
      .execute(),
  );
}

async function readActive(db: Db): Promise<ActiveTask[]> {
  const { rows } = await sql<{
    id: number;
    template_id: number;
    project_id: number;
    runner_id: number | null;
    instance: string | null;
    status: TaskStatus;
  }>`select id, template_id, project_id, runner_id, instance, status from task where ${isBusy}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    templateId: row.template_id,
    projectId: row.project_id,
    runnerId: row.runner_id,
    instance: row.instance,
    holdsSlot: holdsSlot(row.status),
  }));
}

const countSlots = (active: readonly ActiveTask[]): number => active.filter((task) => task.holdsSlot).length;

/**
 * The first task of each line. It steps from template to template in the index of waiting tasks, so ten thousand tasks in
 * sixty lines cost sixty steps.
 */
async function readHeads(db: Db): Promise<Head[]> {
  const { rows } = await sql<Head>`
    with recursive line(template_id) as (
      select min(template_id) from task where ${isWaiting}
      union all
      select (select min(task.template_id) from task where ${isWaiting} and task.template_id > line.template_id)
      from line where line.template_id is not null
    )
    select head.id, head.template_id, head.project_id, head.runner_tag, head.parallel, head.waiting_reason,
      project.max_parallel_tasks as project_limit
    from line
    join task as head on head.id =
      (select min(task.id) from task where ${isWaiting} and task.template_id = line.template_id)
    join project on project.id = head.project_id
    order by head.id`.execute(db);
  return rows;
}

/** The heads, and behind those whose template runs tasks side by side as many more as could start. */
async function readLines(db: Db, heads: readonly Head[], most: number): Promise<Head[]> {
  const parallel = heads.filter((head) => head.parallel).slice(0, maxLines);
  if (parallel.length === 0 || most <= 1) return [...heads];
  const parts = parallel.map(
    (head) => sql<Head>`select * from (
      select id, template_id, project_id, runner_tag, parallel, waiting_reason, ${sql.lit(head.project_limit)} as project_limit
      from task where ${isWaiting} and template_id = ${head.template_id} and id > ${head.id} order by id limit ${most - 1}
    ) as line`,
  );
  const { rows } = await sql<Head>`${sql.join(parts, sql` union all `)}`.execute(db);
  return [...heads, ...rows];
}

function maxStarts({ takers, serverLimit }: ClaimOrder, active: readonly ActiveTask[]): number {
  let most = serverLimit > 0 ? serverLimit - countSlots(active) : maxLine;
  if (takers.every((taker) => taker.free !== null)) {
    most = Math.min(
      most,
      takers.reduce((sum, taker) => sum + (taker.free ?? 0), 0),
    );
  }
  return Math.max(0, Math.min(most, maxLine));
}

function toWaiting(head: Head): WaitingTask {
  return {
    id: head.id,
    templateId: head.template_id,
    projectId: head.project_id,
    projectLimit: Number(head.project_limit),
    runnerTag: head.runner_tag,
    parallel: head.parallel,
  };
}

/** To say why a task waits, all runners must be known; to start one, those that wait here are enough. */
async function listRunners(db: Db, order: ClaimOrder): Promise<readonly OnlineRunner[]> {
  if (!order.explain) return order.takers;
  const here = new Set(order.takers.map((taker) => taker.instance));
  const others = await listOnlineRunners(db, order.onlineSince);
  return [...order.takers, ...others.filter((runner) => !here.has(runner.instance))];
}

async function explain(db: Db, lines: readonly Head[], choice: Choice): Promise<void> {
  const stored = new Map(lines.map((head) => [head.id, head.waiting_reason]));
  const changed = new Map<string, number[]>();
  for (const { taskId, reason } of choice.passed) {
    const text = JSON.stringify(reason);
    if (stored.get(taskId) === text) continue;
    changed.set(text, [...(changed.get(text) ?? []), taskId]);
  }
  for (const [text, ids] of changed) {
    await db
      .updateTable('task')
      .set({ waiting_reason: text })
      .where('id', 'in', ids)
      .where('status', '=', 'waiting')
      .execute();
  }
}

/** One statement for each task: a claim id names one claim of one task, and a runner knows its processes by it. */
async function takeTasks(db: Db, choice: Choice, takers: readonly OnlineRunner[]): Promise<TaskRow[]> {
  const runners = new Map(takers.map((taker) => [taker.instance, taker]));
  const claimed: TaskRow[] = [];
  for (const { taskId, instance } of choice.starts) {
    const taker = runners.get(instance);
    if (taker === undefined) continue;
    const rows = await db
      .updateTable('task')
      .set((eb) => ({
        status: 'starting' as const,
        claim_id: randomBytes(16).toString('hex'),
        fence: eb('fence', '+', 1),
        runner_id: taker.runnerId,
        instance: taker.instance,
        waiting_reason: null,
      }))
      .where('id', '=', taskId)
      .where('status', '=', 'waiting')
      .returningAll()
      .execute();
    claimed.push(...rows);
  }
  return claimed;
}

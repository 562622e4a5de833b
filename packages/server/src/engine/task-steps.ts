import { isFinal, nextStatus, type TaskEvent, type TaskStatus } from '@signalbox/contract/task-state';
import type { Updateable } from 'kysely';
import { recordAlerts } from '../db/alerts.ts';
import type { Db } from '../db/database.ts';
import { noActor, recordEvents } from '../db/events.ts';
import type { Keyring } from '../db/secrets.ts';
import type { TaskTable } from '../db/tables.ts';
import { launchFollowers } from './autorun.ts';
import { countEnds } from './task-counts.ts';
import type { TaskRow } from './task-record.ts';
import { deleteAnswers } from './task-secrets.ts';

/** A task as it was read, what happened to it, and what else that changes. */
export type Step = {
  readonly task: TaskRow;
  readonly event: TaskEvent;
  readonly set?: Omit<Updateable<TaskTable>, 'id' | 'status'>;
};

/**
 * Tasks that are about to be changed, by id. On PostgreSQL their rows are locked, in the order of the ids so that two
 * servers cannot wait for each other.
 */
export async function readForChange(db: Db, taskIds: readonly number[]): Promise<Map<number, TaskRow>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('task')
    .selectAll()
    .where('id', 'in', [...new Set(taskIds)])
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Takes steps of the state machine, each by compare-and-set on the stored status, with all that follows from them inside
 * the same transaction: what people are told, the activity list, the counts, the end of secret answers, and the tasks that a
 * success launches.
 *
 * @returns the tasks as they are now, launched ones included: to be announced after the commit. A task that somebody else
 * changed in between is not among them.
 * @throws IllegalStep
 */
export async function takeSteps(db: Db, keyring: Keyring, steps: readonly Step[], now: number): Promise<TaskRow[]> {
  const changed: TaskRow[] = [];
  for (const step of steps) {
    const row = await takeStep(db, step, now);
    if (row !== undefined) changed.push(row);
  }
  await recordAlerts(db, changed, now);
  const started = changed.filter((row) => row.status === 'running');
  const ended = changed.filter((row) => isFinal(row.status));
  if (started.length + ended.length === 0) return changed;
  await deleteAnswers(
    db,
    [...started, ...ended].map((row) => row.id),
  );
  await recordSteps(db, [...started, ...ended], now);
  if (ended.length === 0) return changed;
  await countEnds(db, ended);
  return [...changed, ...(await launchFollowers(db, keyring, ended, now))];
}

async function takeStep(db: Db, { task, event, set = {} }: Step, now: number): Promise<TaskRow | undefined> {
  const status = nextStatus(task.status, event);
  return await db
    .updateTable('task')
    .set({ ...set, ...impliedBy(status, now), status })
    .where('id', '=', task.id)
    .where('status', '=', task.status)
    .where('fence', '=', task.fence)
    .returningAll()
    .executeTakeFirst();
}

function impliedBy(status: TaskStatus, now: number): Updateable<TaskTable> {
  if (isFinal(status)) return { end: now, unreachable_since: null, waiting_reason: null };
  if (status !== 'waiting') return {};
  // A fence stays: it counts the claims, and refuses whatever the runner before still says.
  return { claim_id: null, instance: null, runner_id: null, unreachable_since: null };
}

async function recordSteps(db: Db, tasks: readonly TaskRow[], now: number): Promise<void> {
  const names = await readTemplateNames(db, tasks);
  await recordEvents(
    db,
    tasks.map((task) => {
      const what = isFinal(task.status) ? `finished - ${task.status.toUpperCase()}` : 'is running';
      const name = names.get(task.template_id) ?? '';
      return {
        actor: { ...noActor, userId: task.user_id },
        created: now,
        projectId: task.project_id,
        objectType: 'task',
        objectId: task.id,
        objectName: name,
        description: `Task ID ${task.id} (${name}) ${what}`,
        integrationId: task.integration_id,
      };
    }),
  );
}

async function readTemplateNames(db: Db, tasks: readonly TaskRow[]): Promise<Map<number, string>> {
  const ids = [...new Set(tasks.map((task) => task.template_id))];
  const rows = await db.selectFrom('template').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

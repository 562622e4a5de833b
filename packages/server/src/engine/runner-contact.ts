import type { Hold } from '@signalbox/contract/runner-protocol';
import { isFinal } from '@signalbox/contract/task-state';
import type { Database, Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { loseStep, requeueStep } from './lost-tasks.ts';
import { isUnchanged, type Reconciliation, reconcileHolds } from './reconcile-holds.ts';
import type { RunnerIdentity } from './runner-identity.ts';
import { isKnownInstance, listSiblings, markGone, saveContact } from './runner-instances.ts';
import type { Contact, RunnerSession, Siblings } from './runner-session.ts';
import type { TaskRow } from './task-record.ts';
import { isBusy } from './task-sets.ts';
import { readForChange, takeSteps } from './task-steps.ts';

/** How often a contact is written down although nothing is new: well within the time after which a runner counts as offline. */
const saveEveryMs = 3000;
/** And as a part of the silence that would give its tasks away, where that is shorter. */
const savedPart = 5;

export type ContactResult = {
  readonly tasks: TaskRow[];
  readonly forget: readonly Hold[];
  /** All that has changed, to be announced. */
  readonly changed: readonly TaskRow[];
  /** Started tasks that ended because nobody holds them: their logs have no other end. */
  readonly lost: readonly TaskRow[];
  readonly isReplaced: boolean;
  /** Processes that are dead as of now. */
  readonly dead: readonly string[];
};

type Said = Pick<Contact, 'identity' | 'request'>;

/**
 * Takes in what a runner says in a sync: that it lives, what it holds, which of its predecessors are dead. Mostly nothing
 * is new; then nothing is written.
 */
export async function takeContact(
  database: Database,
  session: RunnerSession,
  said: Said,
  now: number,
  silentMs: number,
): Promise<ContactResult> {
  const { identity, request } = said;
  const described = describe(said);
  const isNew = session.savedAs !== described || now - session.lastSaved > Math.min(saveEveryMs, silentMs / savedPart);
  // Now and then anew: a younger process may have taken over.
  const siblings =
    (isNew ? undefined : session.siblings) ?? (await readSiblings(database.read, identity, request.instance));
  session.siblings = siblings;
  const alongside = new Set(request.alongside);
  const dead = siblings.older.filter((older) => !alongside.has(older.instance));
  const report = {
    instance: request.instance,
    runnerId: identity.runnerId,
    holds: request.holds,
    dead: new Set(dead.map((older) => older.instance)),
    undelivered: session.undelivered,
  };
  const ids = await findTaskIds(database.read, report);
  const tasks = ids.length === 0 ? new Map() : await readTasks(database.read, ids);
  const first = reconcileHolds(report, tasks);
  const newlyDead = dead.filter((older) => !older.gone).map((older) => older.instance);
  let outcome: { reconciled: Reconciliation; changed: TaskRow[] } = { reconciled: first, changed: [] };
  if (isNew || newlyDead.length > 0 || !isUnchanged(first)) {
    outcome = await database.transact(async (db) => {
      if (isNew) await saveContact(db, said, { isReplaced: siblings.isReplaced, now });
      await markGone(db, newlyDead, now);
      if (isUnchanged(first)) return { reconciled: first, changed: [] };
      const locked = await readForChange(db, ids);
      const reconciled = reconcileHolds(report, locked);
      const lastSeen = new Map(dead.map((older) => [older.instance, older.lastSeen]));
      return { reconciled, changed: await applyChanges(database, db, reconciled, { request, lastSeen, now }) };
    });
    session.lastSaved = now;
    session.savedAs = described;
    for (const older of dead) older.gone = true;
  }
  return { ...summarize(said, tasks, outcome), isReplaced: siblings.isReplaced, dead: newlyDead };
}

async function readSiblings(db: Db, identity: RunnerIdentity, instance: string): Promise<Siblings> {
  const siblings = await listSiblings(db, identity);
  const position = siblings.findIndex((row) => row.instance === instance);
  if (position < 0 && (await isKnownInstance(db, instance))) {
    throw new AppError('unauthenticated', 'The process belongs to another runner');
  }
  const older = position < 0 ? siblings : siblings.slice(0, position);
  const newer = position < 0 ? [] : siblings.slice(position + 1);
  return {
    older: older.map((row) => ({ instance: row.instance, gone: row.gone !== null, lastSeen: row.last_seen })),
    isReplaced: newer.some((row) => row.gone === null),
  };
}

/** What is held, and what is stored as held by this process or by those that it has followed. */
async function findTaskIds(
  db: Db,
  report: { instance: string; holds: readonly Hold[]; dead: ReadonlySet<string> },
): Promise<number[]> {
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where(isBusy)
    .where('instance', 'in', [report.instance, ...report.dead])
    .execute();
  return [...new Set([...rows.map((row) => row.id), ...report.holds.map((hold) => hold.task_id)])];
}

async function readTasks(db: Db, ids: readonly number[]): Promise<Map<number, TaskRow>> {
  const rows = await db.selectFrom('task').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What of a contact is stored. */
function describe({ request }: Said): string {
  return JSON.stringify([request.public_key, request.version, request.machine, request.draining]);
}

async function applyChanges(
  database: Database,
  db: Db,
  { requeue, lose, move, reach }: Reconciliation,
  { request, lastSeen, now }: { request: { instance: string }; lastSeen: ReadonlyMap<string, number>; now: number },
): Promise<TaskRow[]> {
  const steps = [
    ...requeue.map(requeueStep),
    ...lose.map((task) => loseStep(task, lastSeen.get(task.instance ?? '') ?? null)),
  ];
  const changed = steps.length === 0 ? [] : await takeSteps(db, database.keyring, steps, now);
  const kept = [...new Set([...move, ...reach].map((task) => task.id))];
  if (kept.length === 0) return changed;
  const rows = await db
    .updateTable('task')
    .set({ instance: request.instance, unreachable_since: null })
    .where('id', 'in', kept)
    .returningAll()
    .execute();
  return [...changed, ...rows];
}

function summarize(
  { request }: Said,
  tasks: ReadonlyMap<number, TaskRow>,
  { reconciled, changed }: { reconciled: Reconciliation; changed: TaskRow[] },
): Omit<ContactResult, 'isReplaced' | 'dead'> {
  const now = new Map([...tasks, ...changed.map((row): [number, TaskRow] => [row.id, row])]);
  const losing = new Set(reconciled.lose.map((task) => task.id));
  return {
    tasks: [...now.values()].filter((row) => row.instance === request.instance && !isFinal(row.status)),
    forget: reconciled.forget,
    changed,
    lost: changed.filter((row) => losing.has(row.id)),
  };
}

import type { Database, Db } from '../db/database.ts';
import { giveUpStep, requeueStep } from './lost-tasks.ts';
import { wasStarted } from './reconcile-holds.ts';
import { markGone } from './runner-instances.ts';
import type { TaskRow } from './task-record.ts';
import { isBusy } from './task-sets.ts';
import { readForChange, takeSteps } from './task-steps.ts';

/** After so many times the silence that gives back what was not started, its started tasks are shown as unreachable. */
const unreachableAfter = 2;
/** Of a runner without a registration, and so the built-in one. */
const defaultLostMs = 300_000;

export type Silence = {
  readonly now: number;
  /** No lease ran out before this: until then this server could not have heard a runner. */
  readonly healthySince: number;
  /** When this server last heard of a process; 0 = never. */
  readonly lastHeard: (instance: string) => number;
  /** Whether the built-in runner of this machine holds its lock: then it lives, however silent it is. */
  readonly isBuiltInAlive: () => boolean;
  /** Which built-in runner is of this machine. */
  readonly server: string;
  /** After so long what a silent runner had not started waits again: its start permission is fenced. */
  readonly silentMs: number;
};

export type SilenceResult = {
  readonly changed: readonly TaskRow[];
  /** Tasks that ended without their runner: their logs have no other end. */
  readonly lost: readonly TaskRow[];
};

type SilentRunner = {
  readonly instance: string;
  readonly server: string | null;
  readonly lastSeen: number;
  readonly silentMs: number;
  readonly lostMs: number;
};

/**
 * Looks after the tasks of runners that are silent. Silence proves nothing: it gives back what was not started, marks what
 * was, and ends a task only after the long limit of its runner, saying what is not known.
 */
export async function sweepSilent(database: Database, silence: Silence): Promise<SilenceResult> {
  const silent = await listSilent(database.read, silence);
  const changed: TaskRow[] = [];
  const lost: TaskRow[] = [];
  for (const runner of silent) {
    const isGivenUp = runner.silentMs >= runner.lostMs && !isProvedAlive(runner, silence);
    const isUnreachable = !isGivenUp && runner.silentMs >= silence.silentMs * unreachableAfter;
    const verdict = { isGivenUp, isUnreachable, now: silence.now };
    const result = await database.transact((db) => release(database, db, runner, verdict));
    changed.push(...result.changed);
    lost.push(...result.lost);
  }
  return { changed, lost };
}

/** A built-in runner that is stopped or swapped out still holds its lock. */
function isProvedAlive(runner: SilentRunner, { server, isBuiltInAlive }: Silence): boolean {
  return runner.server !== null && runner.server === server && isBuiltInAlive();
}

/** Runners of busy tasks that were not heard of for long enough to matter. */
async function listSilent(
  db: Db,
  { now, healthySince, lastHeard, silentMs: limitMs }: Silence,
): Promise<SilentRunner[]> {
  const rows = await db
    .selectFrom('runner_instance')
    .leftJoin('runner', 'runner.id', 'runner_instance.runner_id')
    .select(['runner_instance.instance', 'runner_instance.server', 'runner_instance.last_seen'])
    .select('runner.lost_after_seconds')
    .where('runner_instance.last_seen', '<=', now - limitMs)
    .where('runner_instance.instance', 'in', (eb) =>
      eb
        .selectFrom('task')
        .select((task) => task.fn.coalesce('task.instance', task.val('')).as('instance'))
        .where(isBusy),
    )
    .execute();
  return rows.flatMap((row) => {
    const lastSeen = Math.max(row.last_seen, lastHeard(row.instance));
    const silentMs = now - Math.max(lastSeen, healthySince);
    const lostMs = row.lost_after_seconds === null ? defaultLostMs : row.lost_after_seconds * 1000;
    return silentMs < limitMs ? [] : [{ instance: row.instance, server: row.server, lastSeen, silentMs, lostMs }];
  });
}

async function release(
  database: Database,
  db: Db,
  runner: SilentRunner,
  { isGivenUp, isUnreachable, now }: { isGivenUp: boolean; isUnreachable: boolean; now: number },
): Promise<SilenceResult> {
  const ids = await db.selectFrom('task').select('id').where(isBusy).where('instance', '=', runner.instance).execute();
  const tasks = await readForChange(
    db,
    ids.map((row) => row.id),
  );
  const held = [...tasks.values()].filter((task) => task.instance === runner.instance);
  const waiting = held.filter((task) => !wasStarted(task));
  const started = held.filter(wasStarted);
  const ended = isGivenUp ? started : [];
  const steps = [...waiting.map(requeueStep), ...ended.map((task) => giveUpStep(task, runner.lastSeen))];
  const changed = steps.length === 0 ? [] : await takeSteps(db, database.keyring, steps, now);
  if (isGivenUp) await markGone(db, [runner.instance], now);
  const marked = isUnreachable ? await markUnreachable(db, started, runner.lastSeen) : [];
  const endedIds = new Set(ended.map((task) => task.id));
  return { changed: [...changed, ...marked], lost: changed.filter((task) => endedIds.has(task.id)) };
}

async function markUnreachable(db: Db, tasks: readonly TaskRow[], since: number): Promise<TaskRow[]> {
  const ids = tasks.filter((task) => task.unreachable_since === null).map((task) => task.id);
  if (ids.length === 0) return [];
  return await db.updateTable('task').set({ unreachable_since: since }).where('id', 'in', ids).returningAll().execute();
}

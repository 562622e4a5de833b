import { ScheduleParams } from '@signalbox/contract/schedules';
import type { Launch } from '@signalbox/contract/tasks';
import * as z from 'zod/mini';
import type { Db } from '../db/database.ts';
import type { Keyring } from '../db/secrets.ts';
import { AppError } from '../errors.ts';
import { createTask } from './create-task.ts';
import { describeRefusal } from './launch-refusal.ts';
import { mostCounted, type Verdict } from './missed-ticks.ts';
import { clearProblem, noteProblem, recordSchedule, type ScheduleRow } from './schedule-problem.ts';
import type { TaskRow } from './task-record.ts';
import { isWaiting } from './task-sets.ts';

/** How long ticks are remembered, so that none comes twice where a clock is set back. */
const rememberMs = 2 * 24 * 3_600_000;
/** What is made up for within a minute is no gap that anybody must be told of. */
const gapMs = 60_000;

export type Tick = { readonly schedule: ScheduleRow; readonly verdict: Verdict; readonly now: number };

/**
 * Takes the ticks of a schedule that have come, by compare-and-set on its next time: one server does, and all that follows is
 * in the same transaction.
 *
 * @returns the schedule as it is now; undefined where it was changed, or another server was faster
 */
export async function takeTick(db: Db, { schedule, verdict, now }: Tick): Promise<ScheduleRow | undefined> {
  const taken = await db
    .updateTable('schedule')
    .set({ next_fire: verdict.next })
    .where('id', '=', schedule.id)
    .where('next_fire', '=', schedule.next_fire)
    .where('active', '=', true)
    .returningAll()
    .executeTakeFirst();
  // What is late is none of a check for commits: the next one finds the same.
  if (taken !== undefined && taken.repository_id === null) await recordMissed(db, taken, { schedule, verdict, now });
  return taken;
}

async function recordMissed(db: Db, taken: ScheduleRow, { schedule, verdict, now }: Tick): Promise<void> {
  const { run, skipped } = verdict;
  const since = schedule.next_fire ?? now;
  if (skipped === 0 || now - since < gapMs) return;
  const count = skipped < mostCounted ? `${skipped}` : `at least ${mostCounted}`;
  const rest = run === undefined ? 'none is made up for' : `the one of ${toText(run)} is run now`;
  const what = `missed ${count} of its times from ${toText(since)} on; ${rest}`;
  await recordSchedule(db, taken, what);
}

const toText = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

export type Start = {
  readonly nominal: number;
  /** The commit to run; null = the head of the branch. */
  readonly commit: string | null;
  readonly now: number;
};

/**
 * Starts the task of one tick, or stores why it does not. A tick counts once for ever, whatever became of it.
 *
 * @param schedule locked by an update in this transaction
 */
export async function startTask(
  db: Db,
  keyring: Keyring,
  schedule: ScheduleRow,
  { nominal, commit, now }: Start,
): Promise<TaskRow | undefined> {
  if (!(await claimTick(db, schedule, nominal, now))) return undefined;
  const waiting = await findWaiting(db, schedule);
  if (waiting !== undefined) {
    await noteProblem(db, schedule, { code: 'queued', text: `its task ID ${waiting} still waits` });
    return undefined;
  }
  try {
    const task = await createTask(db, keyring, {
      projectId: schedule.project_id,
      launch: toLaunch(schedule, commit),
      origin: { kind: 'schedule', scheduleId: schedule.id },
      now,
    });
    await db
      .updateTable('schedule_tick')
      .set({ task_id: task.id })
      .where('schedule_id', '=', schedule.id)
      .where('nominal', '=', nominal)
      .execute();
    await clearProblem(db, schedule);
    return task;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await noteProblem(db, schedule, { code: 'refused', text: describeRefusal(error) });
    return undefined;
  }
}

/** @returns false where this tick was looked after before */
async function claimTick(db: Db, { id }: ScheduleRow, nominal: number, now: number): Promise<boolean> {
  const tick = await db
    .insertInto('schedule_tick')
    .values({ schedule_id: id, nominal, created: now, task_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('nominal')
    .executeTakeFirst();
  if (tick === undefined) return false;
  await db.updateTable('schedule').set({ last_fire: nominal }).where('id', '=', id).execute();
  await db
    .deleteFrom('schedule_tick')
    .where('schedule_id', '=', id)
    .where('nominal', '<', nominal - rememberMs)
    .execute();
  return true;
}

/** The queue must not fill with what one of them would do: while no runner is there, or the one before takes long. */
async function findWaiting(db: Db, { id, template_id }: ScheduleRow): Promise<number | undefined> {
  const task = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', template_id)
    .where(isWaiting)
    .where('schedule_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return task?.id;
}

function toLaunch({ template_id, params }: ScheduleRow, commit: string | null): Launch {
  const given = params === null ? {} : z.parse(ScheduleParams, JSON.parse(params));
  return { ...given, template_id, ...(commit === null ? {} : { commit_hash: commit }) };
}

import { ScheduleProblem } from '@signalbox/contract/schedules';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../db/database.ts';
import { noActor, recordEvent } from '../db/events.ts';
import type { StateTables } from '../db/tables.ts';

export type ScheduleRow = Selectable<StateTables['schedule']>;

export function readProblem(json: string | null): ScheduleProblem | null {
  return json === null ? null : z.parse(ScheduleProblem, JSON.parse(json));
}

/**
 * Stores why a schedule starts no task. The activity list gets one line for it and not one each minute: the next one comes
 * when it is something else, or comes again after a task.
 */
export async function noteProblem(db: Db, schedule: ScheduleRow, problem: ScheduleProblem): Promise<void> {
  const known = readProblem(schedule.problem);
  await setProblem(db, schedule, JSON.stringify(problem));
  // Programs word the same failure of a network differently each time; what refuses a task is always in the same words.
  const isKnown = known?.code === problem.code && (problem.code !== 'refused' || known.text === problem.text);
  if (!isKnown) await recordSchedule(db, schedule, `started no task: ${problem.text}`);
}

export async function clearProblem(db: Db, schedule: ScheduleRow): Promise<void> {
  if (schedule.problem !== null) await setProblem(db, schedule, null);
}

async function setProblem(db: Db, { id }: ScheduleRow, problem: string | null): Promise<void> {
  await db.updateTable('schedule').set({ problem }).where('id', '=', id).execute();
}

/** @param what a sentence that goes on after the name */
export async function recordSchedule(db: Db, { project_id, id, name }: ScheduleRow, what: string): Promise<void> {
  await recordEvent(db, noActor, {
    projectId: project_id,
    objectType: 'schedule',
    objectId: id,
    objectName: name,
    description: `Schedule ${name} ${what}`,
  });
}

import { type Schedule, ScheduleParams } from '@signalbox/contract/schedules';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.ts';
import { readProblem } from '../../engine/schedule-problem.ts';
import { toOptionalTimestamp } from '../../engine/task-record.ts';

/** What a person sets, and the time that follows from it. */
export type ScheduleValues = Omit<Schedule, 'id' | 'project_id' | 'tpl_name' | 'next_run' | 'last_run' | 'problem'> & {
  /** Epoch ms. */
  next_fire: number | null;
};
/** With what became of it. */
export type StoredSchedule = ScheduleValues &
  Pick<Schedule, 'id' | 'project_id' | 'tpl_name' | 'problem'> & { last_fire: number | null };

export function toSchedule({ next_fire, last_fire, ...schedule }: StoredSchedule): Schedule {
  return { ...schedule, next_run: toOptionalTimestamp(next_fire), last_run: toOptionalTimestamp(last_fire) };
}

function selectSchedules(db: Db, projectId: number) {
  return db
    .selectFrom('schedule')
    .innerJoin('template', 'template.id', 'schedule.template_id')
    .select([
      'schedule.id',
      'schedule.project_id',
      'schedule.template_id',
      'template.name as tpl_name',
      'schedule.name',
      'schedule.cron_format',
      'schedule.timezone',
      'schedule.active',
      'schedule.repository_id',
      'schedule.params',
      'schedule.next_fire',
      'schedule.last_fire',
      'schedule.problem',
    ])
    .where('schedule.project_id', '=', projectId);
}

type Row = Omit<StoredSchedule, 'params' | 'problem'> & { params: string | null; problem: string | null };

function readRow({ params, problem, ...row }: Row): StoredSchedule {
  return {
    ...row,
    params: params === null ? null : z.parse(ScheduleParams, JSON.parse(params)),
    problem: readProblem(problem),
  };
}

export type ScheduleFilter = { readonly templateId?: number | undefined; readonly onlyCommitChecks?: boolean };

export async function listSchedules(db: Db, projectId: number, filter: ScheduleFilter): Promise<StoredSchedule[]> {
  let query = selectSchedules(db, projectId);
  if (filter.templateId !== undefined) query = query.where('schedule.template_id', '=', filter.templateId);
  if (filter.onlyCommitChecks) query = query.where('schedule.repository_id', 'is not', null);
  const rows = await query
    .orderBy((eb) => eb.fn('lower', ['schedule.name']))
    .orderBy('schedule.id')
    .execute();
  return rows.map(readRow);
}

export async function findSchedule(db: Db, projectId: number, id: number): Promise<StoredSchedule | undefined> {
  const row = await selectSchedules(db, projectId).where('schedule.id', '=', id).executeTakeFirst();
  return row && readRow(row);
}

/** Whoever changes a schedule comes alone: its next time follows from several members. @returns false where there is none */
export async function lockSchedule(db: Db, projectId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('schedule')
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

function toRow({ params, ...values }: ScheduleValues) {
  return { ...values, params: params === null ? null : JSON.stringify(params) };
}

export async function insertSchedule(db: Db, projectId: number, values: ScheduleValues): Promise<number> {
  const row = await db
    .insertInto('schedule')
    .values({ ...toRow(values), project_id: projectId, last_commit_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** What was wrong with it may be right now. @param forgetsCommit another repository is looked at from now on */
export async function updateSchedule(
  db: Db,
  { projectId, id }: { projectId: number; id: number },
  values: ScheduleValues,
  forgetsCommit: boolean,
): Promise<void> {
  await db
    .updateTable('schedule')
    .set({ ...toRow(values), problem: null, ...(forgetsCommit ? { last_commit_hash: null } : {}) })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .execute();
}

export async function deleteSchedule(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('schedule').where('id', '=', id).where('project_id', '=', projectId).execute();
}

import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export type StatsFilter = {
  readonly projectId: number;
  readonly templateId?: number;
  readonly userId?: number | undefined;
  /** Instants: the first that counts, and the first that does not count any more. */
  readonly from: number;
  readonly to: number;
};

const dayMs = 86_400_000;

/** The counts of the filter: each is of the tasks that were created within a quarter of an hour. */
function selectCounts(db: Db, { projectId, templateId, userId, from, to }: StatsFilter) {
  let query = db.selectFrom('task_count').where('bucket', '>=', from).where('bucket', '<', to);
  // A template is found by its own index; that it is of the project was checked before.
  if (templateId === undefined) query = query.where('project_id', '=', projectId);
  else query = query.where('template_id', '=', templateId);
  return userId === undefined ? query : query.where('user_id', '=', userId);
}

/** The first and the last quarter of an hour that has tasks; undefined where none has. */
export async function findEdges(db: Db, filter: StatsFilter): Promise<{ first: number; last: number } | undefined> {
  const edge = (direction: 'asc' | 'desc') =>
    selectCounts(db, filter).select('bucket').orderBy('bucket', direction).limit(1).executeTakeFirst();
  const first = await edge('asc');
  const last = await edge('desc');
  return first && last && { first: first.bucket, last: last.bucket };
}

/** What has ended of the tasks that were created on one day; days are numbered from 1970 on. */
export type DayCount = { day: number; success: number; error: number; stopped: number };

const countOf = (status: string) => sql<number>`sum(case when status = ${sql.lit(status)} then count else 0 end)`;

/** Days that have tasks, oldest first. @param offset by how much local time is ahead of UTC, all the time of the filter */
export async function listDays(db: Db, filter: StatsFilter, offset: number): Promise<DayCount[]> {
  return await selectCounts(db, filter)
    .select(sql<number>`(bucket + ${sql.lit(offset)}) / ${sql.lit(dayMs)}`.as('day'))
    .select([countOf('success').as('success'), countOf('error').as('error'), countOf('stopped').as('stopped')])
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .execute();
}

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

/** What has ended of the tasks that were created within a quarter of an hour. */
export type Quarter = { bucket: number; success: number; error: number; stopped: number };

const countOf = (status: string) => sql<number>`sum(case when status = ${sql.lit(status)} then count else 0 end)`;

/** Oldest first; quarters without tasks are left out. */
export async function listQuarters(db: Db, filter: StatsFilter): Promise<Quarter[]> {
  const { projectId, templateId, userId, from, to } = filter;
  let query = db
    .selectFrom('task_count')
    .select(['bucket', countOf('success').as('success'), countOf('error').as('error')])
    .select(countOf('stopped').as('stopped'))
    .where('bucket', '>=', from)
    .where('bucket', '<', to);
  // A template is found by its own index; that it is of the project was checked before.
  if (templateId === undefined) query = query.where('project_id', '=', projectId);
  else query = query.where('template_id', '=', templateId);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return await query.groupBy('bucket').orderBy('bucket').execute();
}

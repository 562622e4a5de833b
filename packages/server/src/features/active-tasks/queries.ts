import type { ActiveTask } from '@signalbox/contract/active-tasks';
import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../../db/database.ts';
import { isBusy, isWaiting } from '../../engine/task-sets.ts';

/** The tasks of an index, oldest first: what is shown of them is looked up for these alone. */
function selectActive(db: Db, condition: Expression<SqlBool>, limit: number) {
  return db
    .selectFrom((part) =>
      part
        .selectFrom('task')
        .select(['id', 'project_id', 'status', 'user_id', 'runner_id'])
        .where(condition)
        .orderBy('id')
        .limit(limit)
        .as('active'),
    )
    .innerJoin('project', 'project.id', 'active.project_id')
    .leftJoin('user', 'user.id', 'active.user_id')
    .leftJoin('runner', 'runner.id', 'active.runner_id')
    .select(['active.id as task_id', 'active.project_id', 'active.status', 'active.runner_id'])
    .select(['project.name as project_name', 'user.username', 'runner.name as runner_name'])
    .orderBy('active.id');
}

/** Waiting tasks in the order of the queue, then those that a runner has, at most `limit` of each. */
export async function listActiveTasks(db: Db, limit: number): Promise<ActiveTask[]> {
  const waiting = await selectActive(db, isWaiting, limit).execute();
  const busy = await selectActive(db, isBusy, limit).execute();
  return [
    ...waiting.map((row) => ({ ...row, location: 'queue' as const })),
    ...busy.map((row) => ({ ...row, location: 'running' as const })),
  ];
}

export async function findProjectOfTask(db: Db, taskId: number): Promise<number | undefined> {
  const row = await db.selectFrom('task').select('project_id').where('id', '=', taskId).executeTakeFirst();
  return row?.project_id;
}

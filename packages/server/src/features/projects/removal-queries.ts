import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { isBusy } from '../../engine/task-sets.ts';

/** Rows that go in one transaction: few enough for requests to be answered in between. */
const batch = 250;
const isIdle: RawBuilder<boolean> = sql<boolean>`not (${isBusy})`;

/** Whether this call is the one that deletes it. From then on nobody reaches the project. */
export async function markDeleted(db: Db, projectId: number, now: number): Promise<{ name: string } | undefined> {
  return await db
    .updateTable('project')
    .set({ deleted: now })
    .where('id', '=', projectId)
    .where('deleted', 'is', null)
    .returning('name')
    .executeTakeFirst();
}

export async function listDeletedProjects(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('project').select('id').where('deleted', 'is not', null).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Everything that could start a task, give access, or is a secret. */
export async function closeProject(db: Db, projectId: number): Promise<void> {
  const gone = [
    'project_user',
    'integration_alias',
    'terraform_alias',
    'environment_secret',
    'runner_registration',
  ] as const;
  for (const table of gone) await db.deleteFrom(table).where('project_id', '=', projectId).execute();
  await db.updateTable('key').set({ secret: null }).where('project_id', '=', projectId).execute();
  await db.updateTable('integration').set({ searchable: false }).where('project_id', '=', projectId).execute();
  await db
    .updateTable('schedule')
    .set({ active: false, next_fire: null })
    .where('project_id', '=', projectId)
    .execute();
  await db.updateTable('template').set({ autorun: false }).where('project_id', '=', projectId).execute();
  // They are asked to stop what they run, and must be able to say that they did.
  await db.updateTable('runner').set({ active: false }).where('project_id', '=', projectId).execute();
}

/** Tasks that no runner has in hand. @returns how many went; to be called again while that is not 0 */
export async function deleteIdleTasks(db: Db, projectId: number, status?: 'waiting'): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('task')
    .where('id', 'in', (eb) => {
      const ids = eb.selectFrom('task as old').select('old.id').where('old.project_id', '=', projectId);
      const wanted = status === undefined ? ids : ids.where('old.status', '=', status);
      return wanted.where(isIdle).orderBy('old.id').limit(batch);
    })
    .where(isIdle)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export type BusyTask = { id: number; stop_requested: 'none' | 'soft' | 'force' };

export function listBusyTasks(db: Db, projectId: number): Promise<BusyTask[]> {
  return db
    .selectFrom('task')
    .select(['id', 'stop_requested'])
    .where('project_id', '=', projectId)
    .where(isBusy)
    .orderBy('id')
    .execute();
}

const numbered = ['event', 'notification', 'integration_delivery', 'terraform_state'] as const;

/** Rows of the tables that grow with use. @returns how many went; to be called again while that is not 0 */
export async function deleteSomeRows(db: Db, projectId: number): Promise<number> {
  for (const table of numbered) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where id in (
        select id from ${sql.table(table)} where project_id = ${projectId} order by id limit ${sql.lit(batch)})`.execute(
      db,
    );
    if (numAffectedRows) return Number(numAffectedRows);
  }
  return (await deleteSomeCounts(db, projectId)) || (await deleteSomeTicks(db, projectId));
}

/** These have no number: the oldest go, up to the bucket in which the batch is full. */
async function deleteSomeCounts(db: Db, projectId: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('task_count')
    .where('project_id', '=', projectId)
    .where('bucket', '<=', (eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom('task_count as old')
            .select('old.bucket')
            .where('old.project_id', '=', projectId)
            .orderBy('old.bucket')
            .limit(batch)
            .as('first'),
        )
        .select((inner) => inner.fn.max<number>('first.bucket').as('bucket')),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteSomeTicks(db: Db, projectId: number): Promise<number> {
  const schedule = await db
    .selectFrom('schedule')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', (eb) => eb.selectFrom('schedule_tick').select('schedule_id'))
    .executeTakeFirst();
  if (schedule === undefined) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('schedule_tick')
    .where('schedule_id', '=', schedule.id)
    .where('nominal', 'in', (eb) =>
      eb
        .selectFrom('schedule_tick as old')
        .select('old.nominal')
        .where('old.schedule_id', '=', schedule.id)
        .orderBy('old.nominal')
        .limit(batch),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * The rest. Logs of its tasks were noted for deletion when those went. Not while there are tasks: some were launched in the
 * moment of the deletion, or another server is deleting them too.
 */
export async function deleteEmptyProject(db: Db, projectId: number): Promise<void> {
  const task = await db.selectFrom('task').select('id').where('project_id', '=', projectId).limit(1).executeTakeFirst();
  if (task !== undefined) return;
  await db.deleteFrom('project').where('id', '=', projectId).where('deleted', 'is not', null).execute();
}

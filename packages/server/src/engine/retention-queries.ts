import { stoppableStatuses } from '@signalbox/contract/task-state';
import type { Database, Db } from '../db/database.ts';

/** Tasks in one transaction: few enough for requests to be answered in between. */
const batch = 200;
const eventBatch = 500;
const templatesAtOnce = 500;
const notEnded = stoppableStatuses;

/** Templates with more tasks than are kept. */
export async function listGrown(db: Db, kept: number): Promise<number[]> {
  const rows = await db.selectFrom('template').select('id').where('task_count', '>', kept).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Templates that have tasks, by id. */
export async function listTemplatesFrom(db: Db, from: number): Promise<number[]> {
  const rows = await db
    .selectFrom('template')
    .select('id')
    .where('id', '>=', from)
    .where('task_count', '>', 0)
    .orderBy('id')
    .limit(templatesAtOnce)
    .execute();
  return rows.map(({ id }) => id);
}

/** The newest task that is one too many. */
export async function findSurplus(db: Db, templateId: number, kept: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', templateId)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Behind this task there is none that is old enough. */
export async function findLastBefore(db: Db, before: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('task')
    .select('id')
    .where('created', '<', before)
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export type OldTasks = {
  readonly templateId: number;
  /** The newest one that may go. */
  readonly last: number;
  /** Only what was launched before; undefined = whatever its age. */
  readonly before: number | undefined;
};

/**
 * Deletes the oldest of them that have ended. The newest task of a template stays, because lists show it and the next version
 * follows from it; so do the newest success of a build or deploy, which deploys deploy, and builds that a task which has not ended deploys.
 *
 * @param after where the last call has come to: what was deleted is still in the way of whoever begins at the front
 * @returns where this one has come to; undefined where there was nothing
 */
export async function deleteOldestTasks(database: Database, old: OldTasks, after: number): Promise<number | undefined> {
  // Most templates have nothing to delete, and nobody must wait for that.
  if (after === 0 && (await listOldest(database.read, old, after)).length === 0) return undefined;
  return await database.transact(async (db) => {
    // Locked before its tasks are looked at, as by a launch: nobody takes one of them for his deploy meanwhile.
    await db.selectFrom('template').select('id').where('id', '=', old.templateId).forNoKeyUpdate().execute();
    const ids = await listOldest(db, old, after);
    if (ids.length === 0) return undefined;
    const { numDeletedRows } = await db.deleteFrom('task').where('id', 'in', ids).executeTakeFirst();
    const count = Number(numDeletedRows);
    await db
      .updateTable('template')
      .set((eb) => ({ task_count: eb('task_count', '-', count) }))
      .where('id', '=', old.templateId)
      .execute();
    return ids.at(-1);
  });
}

async function listOldest(db: Db, { templateId, last, before }: OldTasks, after: number): Promise<number[]> {
  const kept = await listKept(db, templateId);
  if (kept.length === 0) return [];
  let query = db
    .selectFrom('task')
    .select('task.id')
    .where('task.template_id', '=', templateId)
    .where('task.id', '>', after)
    .where('task.id', '<=', last)
    .where('task.id', 'not in', kept)
    // In these words, because "in" would lead the database to another index than that of the ids.
    .where('task.status', 'not in', notEnded)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('task as deploy')
            .select('deploy.id')
            .whereRef('deploy.build_task_id', '=', 'task.id')
            .where('deploy.status', 'in', notEnded),
        ),
      ),
    );
  if (before !== undefined) query = query.where('task.created', '<', before);
  const rows = await query.orderBy('task.id').limit(batch).execute();
  return rows.map(({ id }) => id);
}

/** The newest task, and the newest success of a build or a deploy: what others deploy. */
async function listKept(db: Db, templateId: number): Promise<number[]> {
  const newest = db
    .selectFrom('task')
    .innerJoin('template', 'template.id', 'task.template_id')
    .select('task.id')
    .where('task.template_id', '=', templateId)
    .orderBy('task.id', 'desc')
    .limit(1);
  const rows = [
    ...(await newest.execute()),
    ...(await newest.where('task.status', '=', 'success').where('template.type', '!=', '').execute()),
  ];
  return rows.map(({ id }) => id);
}

/** Ids rise with time, so the oldest are the first. @returns how many went; to be called again while that is not 0 */
export async function deleteEventsBefore(db: Db, before: number): Promise<number> {
  const rows = await db.selectFrom('event').select(['id', 'created']).orderBy('id').limit(eventBatch).execute();
  const old = rows.filter(({ created }) => created < before).map(({ id }) => id);
  if (old.length === 0) return 0;
  await db.deleteFrom('event').where('id', 'in', old).execute();
  return old.length;
}

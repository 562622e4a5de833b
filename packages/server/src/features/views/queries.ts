import type { View } from '@signalbox/contract/views';
import type { Db } from '../../db/database.ts';

export function listViews(db: Db, projectId: number): Promise<View[]> {
  return db
    .selectFrom('view')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export function findView(db: Db, projectId: number, id: number): Promise<View | undefined> {
  return db.selectFrom('view').selectAll().where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst();
}

export async function findLastPosition(db: Db, projectId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('view')
    .select('position')
    .where('project_id', '=', projectId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.position;
}

export type ViewValues = Pick<View, 'title' | 'position'>;

export function insertView(db: Db, projectId: number, values: ViewValues): Promise<View> {
  return db
    .insertInto('view')
    .values({ ...values, project_id: projectId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns whether there is such a view */
export async function updateView(db: Db, projectId: number, id: number, values: Partial<ViewValues>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('view')
    .set(values)
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteView(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('view').where('id', '=', id).where('project_id', '=', projectId).execute();
}

import type { Inventory, InventoryType } from '@signalbox/contract/inventories';
import type { Db } from '../../db/database.ts';
import { orderBy, type SortRequest } from '../../sorting.ts';

export type InventoryValues = Omit<Inventory, 'id' | 'project_id' | 'holder_id'>;
type InventoryRow = Omit<Inventory, 'holder_id'>;

const toInventory = (row: InventoryRow): Inventory => ({ ...row, holder_id: row.template_id });

export type InventoryFilter = { types?: readonly InventoryType[]; templateId?: number | undefined };

export async function listInventories(
  db: Db,
  projectId: number,
  filter: InventoryFilter,
  sort: SortRequest,
): Promise<Inventory[]> {
  let query = db.selectFrom('inventory').selectAll().where('project_id', '=', projectId);
  if (filter.types !== undefined) query = query.where('type', 'in', filter.types);
  if (filter.templateId !== undefined) query = query.where('template_id', '=', filter.templateId);
  const rows = await query.orderBy(orderBy(sort, 'inventory', ['name', 'type'])).execute();
  return rows.map(toInventory);
}

export async function findInventory(db: Db, projectId: number, id: number): Promise<Inventory | undefined> {
  const row = await selectInventory(db, projectId, id).executeTakeFirst();
  return row && toInventory(row);
}

/** The inventory as it is when nobody else can change it any more: until the end of the transaction. */
export async function lockInventory(db: Db, projectId: number, id: number): Promise<Inventory | undefined> {
  const row = await selectInventory(db, projectId, id).forNoKeyUpdate().executeTakeFirst();
  return row && toInventory(row);
}

function selectInventory(db: Db, projectId: number, id: number) {
  return db.selectFrom('inventory').selectAll().where('project_id', '=', projectId).where('id', '=', id);
}

export async function insertInventory(db: Db, projectId: number, values: InventoryValues): Promise<Inventory> {
  const row = await db
    .insertInto('inventory')
    .values({ ...values, project_id: projectId })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toInventory(row);
}

export async function updateInventory(
  db: Db,
  projectId: number,
  id: number,
  values: Partial<InventoryValues>,
): Promise<void> {
  await db.updateTable('inventory').set(values).where('id', '=', id).where('project_id', '=', projectId).execute();
}

/** The template as it is when nobody else can change it any more: until the end of the transaction. */
export function lockHolder(
  db: Db,
  projectId: number,
  templateId: number,
): Promise<{ name: string; app: string; inventory_id: number | null } | undefined> {
  return db
    .selectFrom('template')
    .select(['name', 'app', 'inventory_id'])
    .where('id', '=', templateId)
    .where('project_id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** @returns false where another template holds it: then nothing is changed */
export async function updateHolder(db: Db, projectId: number, id: number, templateId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('inventory')
    .set({ template_id: templateId })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where((eb) => eb.or([eb('template_id', 'is', null), eb('template_id', '=', templateId)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** All that a template holds, but for those of one type. */
export async function freeHeld(
  db: Db,
  projectId: number,
  templateId: number,
  keptType: InventoryType | undefined,
): Promise<void> {
  let query = db
    .updateTable('inventory')
    .set({ template_id: null })
    .where('project_id', '=', projectId)
    .where('template_id', '=', templateId);
  if (keptType !== undefined) query = query.where('type', '<>', keptType);
  await query.execute();
}

/** Templates whose inventory it is. */
export function listUsers(db: Db, projectId: number, id: number): Promise<{ id: number; name: string; app: string }[]> {
  return db
    .selectFrom('template')
    .select(['id', 'name', 'app'])
    .where('project_id', '=', projectId)
    .where('inventory_id', '=', id)
    .orderBy('name')
    .execute();
}

export async function deleteInventory(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('inventory').where('id', '=', id).where('project_id', '=', projectId).execute();
}

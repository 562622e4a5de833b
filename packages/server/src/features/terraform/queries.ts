import type { Inventory } from '@signalbox/contract/inventories';
import type { TerraformStateItem } from '@signalbox/contract/terraform';
import type { Db } from '../../db/database.ts';

export type StoredAlias = { id: number; alias: string; auth_key_id: number };
/** A workspace inventory and its project. */
export type WorkspacePlace = { readonly projectId: number; readonly inventoryId: number };

function selectAliases(db: Db, { projectId, inventoryId }: WorkspacePlace) {
  return db
    .selectFrom('terraform_alias')
    .select(['id', 'alias', 'auth_key_id'])
    .where('project_id', '=', projectId)
    .where('inventory_id', '=', inventoryId);
}

export function listAliases(db: Db, place: WorkspacePlace): Promise<StoredAlias[]> {
  return selectAliases(db, place).orderBy('id').execute();
}

export function findAlias(db: Db, place: WorkspacePlace, id: number): Promise<StoredAlias | undefined> {
  return selectAliases(db, place).where('id', '=', id).executeTakeFirst();
}

export function insertAlias(
  db: Db,
  { projectId, inventoryId }: WorkspacePlace,
  values: Omit<StoredAlias, 'id'>,
): Promise<StoredAlias> {
  return db
    .insertInto('terraform_alias')
    .values({ ...values, project_id: projectId, inventory_id: inventoryId })
    .returning(['id', 'alias', 'auth_key_id'])
    .executeTakeFirstOrThrow();
}

export async function updateAlias(
  db: Db,
  { projectId, inventoryId }: WorkspacePlace,
  id: number,
  auth_key_id: number,
): Promise<void> {
  await db
    .updateTable('terraform_alias')
    .set({ auth_key_id })
    .where('id', '=', id)
    .where('inventory_id', '=', inventoryId)
    .where('project_id', '=', projectId)
    .execute();
}

export async function deleteAlias(db: Db, { projectId, inventoryId }: WorkspacePlace, id: number): Promise<void> {
  await db
    .deleteFrom('terraform_alias')
    .where('id', '=', id)
    .where('inventory_id', '=', inventoryId)
    .where('project_id', '=', projectId)
    .execute();
}

/** States stored under the workspace itself, and those of its template's code under the name of the workspace. */
function selectStates(db: Db, { id, project_id, template_id, inventory }: Inventory) {
  return db
    .selectFrom('terraform_state')
    .leftJoin('task', 'task.id', 'terraform_state.task_id')
    .select([
      'terraform_state.id',
      'terraform_state.task_id',
      'terraform_state.created',
      'terraform_state.serial',
      'task.status',
    ])
    .where('terraform_state.project_id', '=', project_id)
    .where((eb) =>
      eb.or([
        eb('terraform_state.inventory_id', '=', id),
        eb.and([
          eb('terraform_state.template_id', '=', template_id ?? 0),
          eb('terraform_state.workspace', '=', inventory),
        ]),
      ]),
    );
}

type StateRow = Omit<TerraformStateItem, 'created'> & { created: number };
/** The newest ones; nobody reads more. */
const maxStates = 1000;
const toItem = <Row extends StateRow>(row: Row) => ({ ...row, created: new Date(row.created).toISOString() });

export async function listStates(db: Db, workspace: Inventory): Promise<TerraformStateItem[]> {
  const rows = await selectStates(db, workspace).orderBy('terraform_state.id', 'desc').limit(maxStates).execute();
  return rows.map(toItem);
}

/** With its text as it is stored: sealed. */
export async function findState(
  db: Db,
  workspace: Inventory,
  id: number,
): Promise<(TerraformStateItem & { sealed: string }) | undefined> {
  const row = await selectStates(db, workspace)
    .select('terraform_state.state as sealed')
    .where('terraform_state.id', '=', id)
    .executeTakeFirst();
  return row && toItem(row);
}

export async function deleteState(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('terraform_state').where('id', '=', id).where('project_id', '=', projectId).execute();
}

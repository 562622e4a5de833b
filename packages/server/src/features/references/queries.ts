import type { Reference } from '@signalbox/contract/references';
import type { Db } from '../../db/database.ts';

/** Tables whose rows other rows of the same project may name. */
export type OwnedTable = 'key' | 'repository' | 'inventory' | 'environment' | 'view' | 'template';

/** Whether the row is there; it stays until the end of the transaction, so that what names it may be stored. */
export async function holdInProject(db: Db, table: OwnedTable, projectId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export type TemplateColumn = 'inventory_id' | 'repository_id' | 'environment_id' | 'build_template_id';

export function listTemplatesBy(db: Db, projectId: number, column: TemplateColumn, id: number): Promise<Reference[]> {
  return db
    .selectFrom('template')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where(column, '=', id)
    .orderBy('name')
    .execute();
}

export function listTemplatesByVaultKey(db: Db, projectId: number, keyId: number): Promise<Reference[]> {
  return db
    .selectFrom('template')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('id', 'in', (part) =>
      part.selectFrom('template_vault').select('template_id').where('vault_key_id', '=', keyId),
    )
    .orderBy('name')
    .execute();
}

export function listInventoriesByKey(db: Db, projectId: number, keyId: number): Promise<Reference[]> {
  return db
    .selectFrom('inventory')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where((eb) =>
      eb.or([
        eb('ssh_key_id', '=', keyId),
        eb('become_key_id', '=', keyId),
        eb('id', 'in', eb.selectFrom('terraform_alias').select('inventory_id').where('auth_key_id', '=', keyId)),
      ]),
    )
    .orderBy('name')
    .execute();
}

/** Workspaces whose state is reached with the key. */
export function listInventoriesByAliasKey(db: Db, projectId: number, keyId: number): Promise<Reference[]> {
  return db
    .selectFrom('inventory')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('id', 'in', (part) =>
      part.selectFrom('terraform_alias').select('inventory_id').where('auth_key_id', '=', keyId),
    )
    .orderBy('name')
    .execute();
}

export function listInventoriesByRepository(db: Db, projectId: number, repositoryId: number): Promise<Reference[]> {
  return db
    .selectFrom('inventory')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('repository_id', '=', repositoryId)
    .orderBy('name')
    .execute();
}

export function listRepositoriesByKey(db: Db, projectId: number, keyId: number): Promise<Reference[]> {
  return db
    .selectFrom('repository')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('ssh_key_id', '=', keyId)
    .orderBy('name')
    .execute();
}

export function listIntegrationsBy(
  db: Db,
  projectId: number,
  column: 'template_id' | 'auth_secret_id',
  id: number,
): Promise<Reference[]> {
  return db
    .selectFrom('integration')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where(column, '=', id)
    .orderBy('name')
    .execute();
}

export function listSchedulesBy(
  db: Db,
  projectId: number,
  column: 'template_id' | 'repository_id',
  id: number,
): Promise<Reference[]> {
  return db
    .selectFrom('schedule')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where(column, '=', id)
    .orderBy('name')
    .execute();
}

/** A schedule names the inventory among its settings, which are text to the database. */
export async function listSchedulesByInventory(db: Db, projectId: number, id: number): Promise<Reference[]> {
  const rows = await db
    .selectFrom('schedule')
    .select(['id', 'name', 'params'])
    .where('project_id', '=', projectId)
    .where('params', 'like', '%"inventory_id":%')
    .orderBy('name')
    .execute();
  return rows
    .filter(({ params }) => (JSON.parse(params ?? '{}') as { inventory_id?: unknown }).inventory_id === id)
    .map(({ id: scheduleId, name }) => ({ id: scheduleId, name }));
}

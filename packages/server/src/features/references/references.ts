import type { References } from '@signalbox/contract/references';
import { isReferenceViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import {
  holdInProject,
  listIntegrationsBy,
  listInventoriesByAliasKey,
  listInventoriesByKey,
  listInventoriesByRepository,
  listRepositoriesByKey,
  listSchedulesBy,
  listSchedulesByInventory,
  listTemplatesBy,
  listTemplatesByVaultKey,
  type OwnedTable,
} from './queries.ts';

/** An id in a body, the table it must be in, and the field that is blamed. */
export type Link = { readonly field: string; readonly table: OwnedTable; readonly id: number | null | undefined };

const words: Record<OwnedTable, string> = {
  key: 'key',
  repository: 'repository',
  inventory: 'inventory',
  environment: 'variable group',
  view: 'view',
  template: 'template',
};

/** Refuses a body that names an object which is not in the project of the path. What it names is not deleted before the transaction ends. */
export async function requireOwn(db: Db, projectId: number, links: readonly Link[]): Promise<void> {
  for (const { field, table, id } of links) {
    if (id === null || id === undefined || (await holdInProject(db, table, projectId, id))) continue;
    const message = `names a ${words[table]} that is not in this project`;
    throw new AppError('unknown_reference', `${field} ${message}`, [{ path: field, message }]);
  }
}

/** A body may repeat the ids of the path; other ones are a mistake of the caller. */
export function requireSameIds(
  path: { projectId: number; id?: number },
  body: { project_id?: number | undefined; id?: number | undefined },
): void {
  if (body.project_id !== undefined && body.project_id !== path.projectId) throw differs('project_id');
  if (body.id !== undefined && path.id !== undefined && body.id !== path.id) throw differs('id');
}

function differs(field: string): AppError {
  const message = 'is not the one of the address';
  return new AppError('invalid', `${field} ${message}`, [{ path: field, message }]);
}

/** What nothing uses. */
export const noReferences: References = {
  templates: [],
  inventories: [],
  repositories: [],
  integrations: [],
  schedules: [],
};

export async function findKeyReferences(db: Db, projectId: number, keyId: number): Promise<References> {
  return {
    ...noReferences,
    templates: await listTemplatesByVaultKey(db, projectId, keyId),
    inventories: await listInventoriesByKey(db, projectId, keyId),
    repositories: await listRepositoriesByKey(db, projectId, keyId),
    integrations: await listIntegrationsBy(db, projectId, 'auth_secret_id', keyId),
  };
}

/** What needs the key to be one with a password. */
export async function findPasswordUses(db: Db, projectId: number, keyId: number): Promise<References> {
  return {
    ...noReferences,
    templates: await listTemplatesByVaultKey(db, projectId, keyId),
    inventories: await listInventoriesByAliasKey(db, projectId, keyId),
    integrations: await listIntegrationsBy(db, projectId, 'auth_secret_id', keyId),
  };
}

export async function findRepositoryReferences(db: Db, projectId: number, id: number): Promise<References> {
  return {
    ...noReferences,
    templates: await listTemplatesBy(db, projectId, 'repository_id', id),
    inventories: await listInventoriesByRepository(db, projectId, id),
    schedules: await listSchedulesBy(db, projectId, 'repository_id', id),
  };
}

export async function findInventoryReferences(db: Db, projectId: number, id: number): Promise<References> {
  return {
    ...noReferences,
    templates: await listTemplatesBy(db, projectId, 'inventory_id', id),
    schedules: await listSchedulesByInventory(db, projectId, id),
  };
}

export async function findEnvironmentReferences(db: Db, projectId: number, id: number): Promise<References> {
  return { ...noReferences, templates: await listTemplatesBy(db, projectId, 'environment_id', id) };
}

/** Schedules use a template and go with it; the others keep it from being deleted. */
export async function findTemplateReferences(db: Db, projectId: number, id: number): Promise<References> {
  return {
    ...(await findTemplateBlockers(db, projectId, id)),
    schedules: await listSchedulesBy(db, projectId, 'template_id', id),
  };
}

export async function findTemplateBlockers(db: Db, projectId: number, id: number): Promise<References> {
  return {
    ...noReferences,
    templates: await listTemplatesBy(db, projectId, 'build_template_id', id),
    integrations: await listIntegrationsBy(db, projectId, 'template_id', id),
  };
}

type FindReferences = (db: Db, projectId: number, id: number) => Promise<References>;

/** What is to be deleted: its kind in words, where it is, and who may be using it. */
export type Removal = {
  readonly kind: string;
  readonly projectId: number;
  readonly id: number;
  readonly findReferences: FindReferences;
};

/**
 * Deletes an object that nothing uses; `remove` deletes the row and says so in the activity list. A reference that appears
 * between the look and the deletion is found by the database.
 */
export async function removeUnused(
  database: Database,
  removal: Removal,
  remove: (db: Db) => Promise<void>,
): Promise<void> {
  const { projectId, id } = removal;
  try {
    await database.transact(async (db) => {
      const used = await removal.findReferences(db, projectId, id);
      if (isUsed(used)) throw inUse(removal.kind, used);
      await remove(db);
    });
  } catch (error) {
    if (!isReferenceViolation(error)) throw error;
    throw inUse(removal.kind, await removal.findReferences(database.read, projectId, id));
  }
}

export function isUsed(references: References): boolean {
  return Object.values(references).some((list) => list.length > 0);
}

export function inUse(kind: string, references: References): AppError {
  const names = Object.values(references).flatMap((list) => list.map(({ name }) => `"${name}"`));
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  return new AppError('in_use', `The ${kind} is used by ${shown || 'something else'}`, references);
}

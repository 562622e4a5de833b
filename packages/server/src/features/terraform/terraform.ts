import { randomBytes } from 'node:crypto';
import { type Inventory, isWorkspaceType } from '@signalbox/contract/inventories';
import type {
  TerraformAlias,
  TerraformAliasChange,
  TerraformAliasInput,
  TerraformState,
  TerraformStateItem,
} from '@signalbox/contract/terraform';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { placeOf } from '../../db/sealed-columns.ts';
import { AppError } from '../../errors.ts';
import { requireInventory } from '../inventories/inventories.ts';
import { requirePasswordKey } from '../keys/keys.ts';
import { requireOwn, requireSameIds } from '../references/references.ts';
import {
  deleteAlias,
  deleteState,
  findAlias,
  findState,
  insertAlias,
  listAliases,
  listStates,
  type StoredAlias,
  updateAlias,
  type WorkspacePlace,
} from './queries.ts';

/** The state backend as it is set up. */
export type StateBackend = {
  readonly isOn: boolean;
  /** Public address of the server, without a slash at the end. */
  readonly webUrl: string;
};

export async function listTerraformAliases(
  db: Db,
  backend: StateBackend,
  place: WorkspacePlace,
): Promise<TerraformAlias[]> {
  await requireInventory(db, place.projectId, place.inventoryId);
  return (await listAliases(db, place)).map((stored) => toAlias(backend, stored));
}

function toAlias({ webUrl }: StateBackend, { alias, ...stored }: StoredAlias): TerraformAlias {
  return { ...stored, url: `${webUrl}/api/terraform/${alias}` };
}

export function createTerraformAlias(
  database: Database,
  backend: StateBackend,
  actor: Actor,
  place: WorkspacePlace,
  { auth_key_id }: TerraformAliasInput,
): Promise<TerraformAlias> {
  return database.transact(async (db) => {
    const workspace = await requireWorkspace(db, place);
    requireBackend(backend);
    await checkAuthKey(db, place.projectId, auth_key_id);
    // Whoever knows the address still needs the key; guessing one is out of the question all the same.
    const stored = await insertAlias(db, place, { alias: randomBytes(16).toString('hex'), auth_key_id });
    await recordChange(db, actor, workspace, 'created');
    return toAlias(backend, stored);
  });
}

export type AliasPlace = WorkspacePlace & { readonly id: number };

export async function changeTerraformAlias(
  database: Database,
  backend: StateBackend,
  actor: Actor,
  place: AliasPlace,
  change: TerraformAliasChange,
): Promise<void> {
  requireSameIds(place, change);
  await database.transact(async (db) => {
    const workspace = await requireWorkspace(db, place);
    await requireAlias(db, place);
    requireBackend(backend);
    await checkAuthKey(db, place.projectId, change.auth_key_id);
    await updateAlias(db, place, place.id, change.auth_key_id);
    await recordChange(db, actor, workspace, 'updated');
  });
}

/** Also while the backend is off: what is no longer wanted can go. */
export async function removeTerraformAlias(database: Database, actor: Actor, place: AliasPlace): Promise<void> {
  await database.transact(async (db) => {
    const workspace = await requireInventory(db, place.projectId, place.inventoryId);
    await requireAlias(db, place);
    await deleteAlias(db, place, place.id);
    await recordChange(db, actor, workspace, 'deleted');
  });
}

export async function listTerraformStates(
  db: Db,
  backend: StateBackend,
  place: WorkspacePlace,
): Promise<TerraformStateItem[]> {
  const workspace = await requireInventory(db, place.projectId, place.inventoryId);
  requireBackend(backend);
  return isWorkspaceType(workspace.type) ? listStates(db, workspace) : [];
}

export async function readTerraformState(
  database: Database,
  backend: StateBackend,
  place: AliasPlace,
): Promise<TerraformState> {
  const workspace = await requireInventory(database.read, place.projectId, place.inventoryId);
  requireBackend(backend);
  const found = isWorkspaceType(workspace.type) ? await findState(database.read, workspace, place.id) : undefined;
  if (found === undefined) throw new AppError('not_found', 'There is no such state of this workspace');
  const { sealed, ...state } = found;
  return { ...state, state: database.keyring.open(sealed, placeOf('terraform_state', state.id)) };
}

export async function removeTerraformState(
  database: Database,
  backend: StateBackend,
  actor: Actor,
  place: AliasPlace,
): Promise<void> {
  await database.transact(async (db) => {
    const workspace = await requireInventory(db, place.projectId, place.inventoryId);
    requireBackend(backend);
    const found = isWorkspaceType(workspace.type) ? await findState(db, workspace, place.id) : undefined;
    if (found === undefined) throw new AppError('not_found', 'There is no such state of this workspace');
    await deleteState(db, place.projectId, found.id);
    await recordEvent(db, actor, {
      projectId: workspace.project_id,
      objectType: 'inventory',
      objectId: workspace.id,
      objectName: workspace.name,
      description: `State of workspace ${workspace.name} deleted, serial ${found.serial}`,
    });
  });
}

function requireBackend({ isOn }: StateBackend): void {
  if (!isOn) throw new AppError('forbidden', 'The state backend for Terraform is switched off on this server');
}

async function requireWorkspace(db: Db, { projectId, inventoryId }: WorkspacePlace): Promise<Inventory> {
  const inventory = await requireInventory(db, projectId, inventoryId);
  if (!isWorkspaceType(inventory.type)) {
    throw new AppError('invalid', 'Only a workspace of Terraform or OpenTofu has a state');
  }
  return inventory;
}

async function requireAlias(db: Db, place: AliasPlace): Promise<void> {
  const found = await findAlias(db, place, place.id);
  if (found === undefined) throw new AppError('not_found', 'There is no such address of this workspace');
}

async function checkAuthKey(db: Db, projectId: number, id: number): Promise<void> {
  await requireOwn(db, projectId, [{ field: 'auth_key_id', table: 'key', id }]);
  await requirePasswordKey(db, projectId, id, 'auth_key_id');
}

async function recordChange(
  db: Db,
  actor: Actor,
  workspace: Inventory,
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: workspace.project_id,
    objectType: 'inventory',
    objectId: workspace.id,
    objectName: workspace.name,
    description: `State address of workspace ${workspace.name} ${verb}`,
  });
}

import {
  type Inventory,
  type InventoryChange,
  type InventoryInput,
  type InventoryType,
  isInsidePath,
} from '@signalbox/contract/inventories';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { findInventoryReferences, removeUnused, requireOwn, requireSameIds } from '../references/references.ts';
import { deleteInventory, findInventory, type InventoryValues, insertInventory, updateInventory } from './queries.ts';

export async function requireInventory(db: Db, projectId: number, id: number): Promise<Inventory> {
  const inventory = await findInventory(db, projectId, id);
  if (inventory === undefined) throw new AppError('not_found', 'There is no such inventory in this project');
  return inventory;
}

/** The types that templates of an app can use; undefined = all. */
export function typesOfApp(app: string | undefined): InventoryType[] | undefined {
  if (app === undefined || app === '') return undefined;
  if (app === 'terraform') return ['terraform-workspace'];
  if (app === 'tofu') return ['tofu-workspace'];
  return ['static', 'static-yaml', 'file'];
}

export function createInventory(
  database: Database,
  actor: Actor,
  projectId: number,
  input: InventoryInput,
): Promise<Inventory> {
  requireSameIds({ projectId }, input);
  return database.transact((db) => addInventory(db, actor, projectId, input));
}

/** Adds an inventory inside a transaction that makes more than an inventory. */
export async function addInventory(db: Db, actor: Actor, projectId: number, input: InventoryInput): Promise<Inventory> {
  await requireLinks(db, projectId, input);
  const inventory = await insertInventory(db, projectId, {
    name: input.name,
    inventory: input.inventory,
    type: input.type,
    ssh_key_id: input.ssh_key_id ?? null,
    become_key_id: input.become_key_id ?? null,
    repository_id: input.repository_id ?? null,
    template_id: input.template_id ?? null,
  });
  await recordChange(db, actor, inventory, 'created');
  return inventory;
}

export type InventoryPlace = { projectId: number; id: number };

export async function changeInventory(
  database: Database,
  actor: Actor,
  place: InventoryPlace,
  change: InventoryChange,
): Promise<void> {
  requireSameIds(place, change);
  await database.transact(async (db) => {
    const stored = await requireInventory(db, place.projectId, place.id);
    await requireLinks(db, place.projectId, change);
    const values = mergeChange(stored, change);
    if (values.type === 'file' && !isInsidePath(values.inventory)) {
      const message = 'must be a path inside the repository';
      throw new AppError('invalid', `inventory ${message}`, [{ path: 'inventory', message }]);
    }
    await updateInventory(db, place.projectId, place.id, values);
    await recordChange(db, actor, { ...stored, name: values.name }, 'updated');
  });
}

function mergeChange(stored: Inventory, change: InventoryChange): InventoryValues {
  const keep = <T>(given: T | undefined, old: T): T => (given === undefined ? old : given);
  return {
    name: change.name,
    type: change.type,
    inventory: keep(change.inventory, stored.inventory),
    ssh_key_id: keep(change.ssh_key_id, stored.ssh_key_id),
    become_key_id: keep(change.become_key_id, stored.become_key_id),
    repository_id: keep(change.repository_id, stored.repository_id),
    template_id: keep(change.template_id, stored.template_id),
  };
}

/** Gives a workspace to a template; one that another template holds stays with it. */
export async function holdWorkspace(
  db: Db,
  projectId: number,
  { inventoryId, templateId }: { inventoryId: number; templateId: number },
): Promise<void> {
  const inventory = await requireInventory(db, projectId, inventoryId);
  if (inventory.template_id !== null && inventory.template_id !== templateId) {
    throw new AppError('conflict', `The workspace "${inventory.name}" belongs to another template`);
  }
  await updateInventory(db, projectId, inventoryId, { template_id: templateId });
}

export async function removeInventory(database: Database, actor: Actor, place: InventoryPlace): Promise<void> {
  const inventory = await requireInventory(database.read, place.projectId, place.id);
  const removal = { kind: 'inventory', ...place, findReferences: findInventoryReferences };
  await removeUnused(database, removal, async (db) => {
    await deleteInventory(db, place.projectId, place.id);
    await recordChange(db, actor, inventory, 'deleted');
  });
}

type Links = Pick<InventoryChange, 'ssh_key_id' | 'become_key_id' | 'repository_id' | 'template_id'>;

async function requireLinks(db: Db, projectId: number, links: Links): Promise<void> {
  await requireOwn(db, projectId, [
    { field: 'ssh_key_id', table: 'key', id: links.ssh_key_id },
    { field: 'become_key_id', table: 'key', id: links.become_key_id },
    { field: 'repository_id', table: 'repository', id: links.repository_id },
    { field: 'template_id', table: 'template', id: links.template_id },
  ]);
}

async function recordChange(
  db: Db,
  actor: Actor,
  inventory: Inventory,
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: inventory.project_id,
    objectType: 'inventory',
    objectId: inventory.id,
    objectName: inventory.name,
    description: `Inventory ${inventory.name} ${verb}`,
  });
}

import {
  type Inventory,
  type InventoryChange,
  type InventoryInput,
  type InventoryType,
  isInsidePath,
  isWorkspaceName,
  isWorkspaceType,
} from '@signalbox/contract/inventories';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import {
  findInventoryReferences,
  inUse,
  noReferences,
  removeUnused,
  requireOwn,
  requireSameIds,
} from '../references/references.ts';
import {
  deleteInventory,
  findInventory,
  freeHeld,
  type InventoryValues,
  insertInventory,
  listInventories,
  listUsers,
  lockHolder,
  lockInventory,
  updateHolder,
  updateInventory,
} from './queries.ts';

export async function requireInventory(db: Db, projectId: number, id: number): Promise<Inventory> {
  return orRefuse(await findInventory(db, projectId, id));
}

/** As it is when nobody else can change it any more: until the end of the transaction. */
export async function requireLockedInventory(db: Db, projectId: number, id: number): Promise<Inventory> {
  return orRefuse(await lockInventory(db, projectId, id));
}

function orRefuse(inventory: Inventory | undefined): Inventory {
  if (inventory === undefined) throw new AppError('not_found', 'There is no such inventory in this project');
  return inventory;
}

/** Apps whose inventory is a workspace, and what its type is called. */
export function workspaceType(app: string): 'terraform-workspace' | 'tofu-workspace' | undefined {
  if (app === 'terraform') return 'terraform-workspace';
  return app === 'tofu' ? 'tofu-workspace' : undefined;
}

/** The types that templates of an app can use; undefined = all. */
export function typesOfApp(app: string | undefined): InventoryType[] | undefined {
  if (app === undefined || app === '') return undefined;
  const workspace = workspaceType(app);
  return workspace === undefined ? ['static', 'static-yaml', 'file'] : [workspace];
}

/** Whether templates of the app can use it. Scripts are told nothing of their inventory, so any will do. */
export function fitsApp(app: string, type: InventoryType): boolean {
  const workspace = workspaceType(app);
  if (workspace !== undefined) return type === workspace;
  return app !== 'ansible' || !isWorkspaceType(type);
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
  const values = {
    name: input.name,
    inventory: input.inventory,
    type: input.type,
    ssh_key_id: input.ssh_key_id ?? null,
    become_key_id: input.become_key_id ?? null,
    repository_id: input.repository_id ?? null,
    host_key_policy: input.host_key_policy ?? 'accept-new',
    template_id: givenHolder(input) ?? null,
  };
  await checkHolder(db, projectId, values);
  const inventory = await insertInventory(db, projectId, values);
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
  const { projectId, id } = place;
  await database.transact(async (db) => {
    const stored = await requireLockedInventory(db, projectId, id);
    await requireLinks(db, projectId, change);
    const values = mergeChange(stored, change);
    checkText(values);
    await refuseMisfit(db, stored, values);
    if (values.template_id !== stored.template_id) await refuseDefault(db, stored);
    await checkHolder(db, projectId, values, id);
    await updateInventory(db, projectId, id, values);
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
    host_key_policy: keep(change.host_key_policy, stored.host_key_policy),
    template_id: keep(givenHolder(change), stored.template_id),
  };
}

type GivenHolder = Pick<InventoryChange, 'template_id' | 'holder_id'>;
const givenHolder = ({ template_id, holder_id }: GivenHolder) => (template_id === undefined ? holder_id : template_id);

/** What was text of hosts does not become a path or a name by a change of the type alone. */
function checkText({ type, inventory }: InventoryValues): void {
  if (type === 'file' && !isInsidePath(inventory)) throw wrong('inventory', 'must be a path inside the repository');
  if (isWorkspaceType(type) && !isWorkspaceName(inventory)) throw wrong('inventory', 'must be the name of a workspace');
}

/** What the templates that use it cannot use is refused. */
async function refuseMisfit(db: Db, { id, project_id, type }: Inventory, values: InventoryValues): Promise<void> {
  if (values.type === type) return;
  const users = await listUsers(db, project_id, id);
  const templates = users.filter(({ app }) => !fitsApp(app, values.type));
  if (templates.length === 0) return;
  throw inUse('inventory', { ...noReferences, templates: templates.map(({ id, name }) => ({ id, name })) });
}

/** The default workspace stays with its template. */
async function refuseDefault(db: Db, { id, name, project_id, template_id }: Inventory): Promise<void> {
  if (template_id === null) return;
  const holder = await lockHolder(db, project_id, template_id);
  if (holder?.inventory_id !== id) return;
  throw new AppError('conflict', `"${name}" is the default workspace of the template "${holder.name}"`);
}

type Held = Pick<InventoryValues, 'type' | 'inventory' | 'template_id'>;

/** Only workspaces belong to a template, of its app, and each of its workspaces has a name of its own. */
async function checkHolder(db: Db, projectId: number, held: Held, id?: number): Promise<void> {
  const { type, inventory, template_id: templateId } = held;
  if (templateId === null) return;
  const holder = await lockHolder(db, projectId, templateId);
  if (holder === undefined) throw new AppError('not_found', 'There is no such template in this project');
  if (!isWorkspaceType(type)) throw wrong('template_id', 'is only for workspaces');
  const wanted = workspaceType(holder.app);
  if (wanted === undefined) throw wrong('template_id', `names a template for ${holder.app}, which has no workspaces`);
  if (type !== wanted) {
    throw wrong('type', `must be a workspace for ${holder.app}, as the template "${holder.name}" is`);
  }
  const others = await listInventories(db, projectId, { templateId, types: [type] }, {});
  if (!others.some((other) => other.id !== id && other.inventory === inventory)) return;
  const message = `The template "${holder.name}" has a workspace "${inventory}" already`;
  throw new AppError('not_unique', message, [{ path: 'inventory', message }]);
}

/** Gives a workspace to a template; one that another template holds stays with it. */
export async function holdWorkspace(
  db: Db,
  projectId: number,
  { inventoryId, templateId }: { inventoryId: number; templateId: number },
): Promise<void> {
  const workspace = await requireInventory(db, projectId, inventoryId);
  await checkHolder(db, projectId, { ...workspace, template_id: templateId }, inventoryId);
  if (await updateHolder(db, projectId, inventoryId, templateId)) return;
  throw new AppError('conflict', `The workspace "${workspace.name}" belongs to another template`);
}

/** Takes a workspace away from its template, but not the default one. */
export async function freeWorkspace(
  db: Db,
  projectId: number,
  { inventoryId, templateId }: { inventoryId: number; templateId: number },
): Promise<void> {
  // Before the look: whoever changes what the template holds, or its default, waits for the other.
  await lockHolder(db, projectId, templateId);
  const workspace = await requireInventory(db, projectId, inventoryId);
  if (workspace.template_id !== templateId) {
    throw new AppError('conflict', `The workspace "${workspace.name}" does not belong to this template`);
  }
  await refuseDefault(db, workspace);
  await updateInventory(db, projectId, inventoryId, { template_id: null });
}

/** After its app changed: what is not of the new app's kind is free again. */
export function freeWorkspaces(db: Db, projectId: number, templateId: number, app: string): Promise<void> {
  return freeHeld(db, projectId, templateId, workspaceType(app));
}

/** The workspace that a template goes on with when none is named: the one called `default`, else the first. */
export async function findHeldWorkspace(
  db: Db,
  projectId: number,
  templateId: number,
  type: InventoryType,
): Promise<Inventory | undefined> {
  const held = await listInventories(db, projectId, { templateId, types: [type] }, {});
  return held.find(({ inventory }) => inventory === 'default') ?? held[0];
}

export async function removeInventory(database: Database, actor: Actor, place: InventoryPlace): Promise<void> {
  const inventory = await requireInventory(database.read, place.projectId, place.id);
  const removal = { kind: 'inventory', ...place, findReferences: findInventoryReferences };
  await removeUnused(database, removal, async (db) => {
    await deleteInventory(db, place.projectId, place.id);
    await recordChange(db, actor, inventory, 'deleted');
  });
}

type Links = Pick<InventoryChange, 'ssh_key_id' | 'become_key_id' | 'repository_id'> & GivenHolder;

async function requireLinks(db: Db, projectId: number, links: Links): Promise<void> {
  await requireOwn(db, projectId, [
    { field: 'ssh_key_id', table: 'key', id: links.ssh_key_id },
    { field: 'become_key_id', table: 'key', id: links.become_key_id },
    { field: 'repository_id', table: 'repository', id: links.repository_id },
    { field: 'template_id', table: 'template', id: links.template_id },
    { field: 'holder_id', table: 'template', id: links.holder_id },
  ]);
}

function wrong(path: string, message: string): AppError {
  return new AppError('invalid', `${path} ${message}`, [{ path, message }]);
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

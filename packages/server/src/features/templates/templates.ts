import type { FieldProblem } from '@signalbox/contract/errors';
import type { TemplateChange, TemplateInput, Vault } from '@signalbox/contract/templates';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { requireApp } from '../apps/apps.ts';
import {
  addInventory,
  findHeldWorkspace,
  fitsApp,
  freeWorkspaces,
  holdWorkspace,
  requireLockedInventory,
  workspaceType,
} from '../inventories/inventories.ts';
import { requirePasswordKey } from '../keys/keys.ts';
import {
  findTemplateBlockers,
  inUse,
  isUsed,
  removeUnused,
  requireOwn,
  requireSameIds,
} from '../references/references.ts';
import {
  deleteTemplate,
  deleteWaitingTasks,
  findTemplate,
  insertTemplate,
  lockBuildTemplate,
  lockTemplate,
  replaceVaults,
  type StoredTemplate,
  setInventory,
  type TemplateValues,
  updateTemplate,
} from './queries.ts';
import { findProblems, mergeTemplate } from './template-rules.ts';

export async function requireTemplate(db: Db, projectId: number, id: number): Promise<StoredTemplate> {
  const template = await findTemplate(db, projectId, id);
  if (template === undefined) throw new AppError('not_found', 'There is no such template in this project');
  return template;
}

export function createTemplate(
  database: Database,
  actor: Actor,
  projectId: number,
  input: TemplateInput,
): Promise<StoredTemplate> {
  requireSameIds({ projectId }, input);
  return database.transact((db) => addTemplate(db, actor, projectId, input));
}

/** A template as a form sends it: what would be stored, and what is wrong with it by itself. */
export function readTemplate(input: TemplateInput): { values: TemplateValues; problems: FieldProblem[] } {
  const values = mergeTemplate(undefined, input);
  return { values, problems: findProblems(values, input.vaults ?? []) };
}

/** Adds a template inside a transaction that makes more than a template. */
export async function addTemplate(
  db: Db,
  actor: Actor,
  projectId: number,
  input: TemplateInput,
): Promise<StoredTemplate> {
  await requireApp(db, input.app, 'new');
  const values = mergeTemplate(undefined, input);
  // All of them are new: a copy comes with the ids of the original.
  const vaults = (input.vaults ?? []).map((vault) => ({ ...vault, id: null }));
  await checkTemplate(db, projectId, values, vaults);
  const id = await insertTemplate(db, projectId, values);
  await holdInventory(db, actor, { projectId, id }, values);
  await replaceVaults(db, projectId, id, vaults);
  await recordChange(db, actor, { projectId, id }, values.name, 'created');
  return requireTemplate(db, projectId, id);
}

export type TemplatePlace = { projectId: number; id: number };

export async function changeTemplate(
  database: Database,
  actor: Actor,
  place: TemplatePlace,
  change: TemplateChange,
): Promise<void> {
  requireSameIds(place, change);
  const { projectId, id } = place;
  await database.transact(async (db) => {
    await lockTemplate(db, projectId, id);
    const { vaults: storedVaults, ...stored } = await requireTemplate(db, projectId, id);
    await requireApp(db, change.app, change.app === stored.app ? 'stored' : 'new');
    const { id: _id, project_id: _project, tasks: _tasks, last_task_id: _last, ...storedValues } = stored;
    const values = mergeTemplate(storedValues, change);
    const vaults = change.vaults === undefined ? storedVaults : (change.vaults ?? []);
    await checkTemplate(db, projectId, values, vaults);
    if (await leadsBack(db, place, values.build_template_id)) {
      throw wrongLink('build_template_id', 'leads back to this template');
    }
    if (vaults.some((vault) => vault.id && !storedVaults.some((known) => known.id === vault.id))) throw unknownVault();
    if (stored.type !== '' && values.type === '') await refuseWhenDeployed(db, place);
    await updateTemplate(db, projectId, id, values);
    if (values.app !== stored.app) await freeWorkspaces(db, projectId, id, values.app);
    await holdInventory(db, actor, place, values);
    await replaceVaults(db, projectId, id, vaults);
    await recordChange(db, actor, place, values.name, 'updated');
  });
}

export async function removeTemplate(database: Database, actor: Actor, place: TemplatePlace): Promise<void> {
  const template = await requireTemplate(database.read, place.projectId, place.id);
  const removal = { kind: 'template', ...place, findReferences: findTemplateBlockers };
  await removeUnused(database, removal, async (db) => {
    await refuseWhileBusy(db, place);
    await deleteTemplate(db, place.projectId, place.id);
    await recordChange(db, actor, place, template.name, 'deleted');
  });
}

async function checkTemplate(
  db: Db,
  projectId: number,
  values: TemplateValues,
  vaults: readonly Vault[],
): Promise<void> {
  refuse('invalid', findProblems(values, vaults));
  await requireOwn(db, projectId, [
    { field: 'repository_id', table: 'repository', id: values.repository_id },
    { field: 'inventory_id', table: 'inventory', id: values.inventory_id },
    { field: 'environment_id', table: 'environment', id: values.environment_id },
    { field: 'view_id', table: 'view', id: values.view_id },
    { field: 'build_template_id', table: 'template', id: values.build_template_id },
    ...vaults.map((vault, at) => ({
      field: `vaults.${at}.vault_key_id`,
      table: 'key' as const,
      id: vault.vault_key_id,
    })),
  ]);
  await checkLinkedTypes(db, projectId, values, vaults);
}

/**
 * Whether a template deploys, over however many others, what it makes itself: with autorun it would run for ever. All on the way are
 * locked, so that of two changes that would close a ring between them, each with one link of it, the second one sees the first.
 */
async function leadsBack(db: Db, { projectId, id }: TemplatePlace, from: number | null): Promise<boolean> {
  const seen = new Set<number>();
  for (let at = from; at !== null && !seen.has(at); at = await lockBuildTemplate(db, projectId, at)) {
    if (at === id) return true;
    seen.add(at);
  }
  return false;
}

/** What is named exists; it must also be of the right kind, and stay so until this is stored: each is locked. */
async function checkLinkedTypes(
  db: Db,
  projectId: number,
  { app, build_template_id, inventory_id }: TemplateValues,
  vaults: readonly Vault[],
): Promise<void> {
  if (build_template_id !== null && (await lockTemplate(db, projectId, build_template_id)) === '') {
    throw wrongLink('build_template_id', 'must be a build or deploy template');
  }
  if (inventory_id !== null) {
    const { type } = await requireLockedInventory(db, projectId, inventory_id);
    if (!fitsApp(app, type)) throw wrongLink('inventory_id', `must be an inventory for ${app}`);
  }
  for (const [at, { type, vault_key_id }] of vaults.entries()) {
    if (type !== 'password' || !vault_key_id) continue;
    await requirePasswordKey(db, projectId, vault_key_id, `vaults.${at}.vault_key_id`);
  }
}

/** Code of Terraform and OpenTofu runs in a workspace of its own; a template without one gets its first. */
async function holdInventory(
  db: Db,
  actor: Actor,
  { projectId, id }: TemplatePlace,
  values: TemplateValues,
): Promise<void> {
  const type = workspaceType(values.app);
  if (type === undefined) return;
  if (values.inventory_id !== null) {
    await holdWorkspace(db, projectId, { inventoryId: values.inventory_id, templateId: id });
    return;
  }
  const workspace =
    (await findHeldWorkspace(db, projectId, id, type)) ??
    (await addInventory(db, actor, projectId, {
      name: `${values.name} - default`,
      inventory: 'default',
      type,
      template_id: id,
    }));
  await setInventory(db, projectId, id, workspace.id);
}

/** What the tasks of a template run on from now on, in a transaction that has seen to it that it fits. */
export function setTemplateInventory(db: Db, { projectId, id }: TemplatePlace, inventoryId: number): Promise<void> {
  return setInventory(db, projectId, id, inventoryId);
}

/** Its tasks go with it, and a tool that runs must not be left without a task that tells of it. */
async function refuseWhileBusy(db: Db, { projectId, id }: TemplatePlace): Promise<void> {
  const ids = await deleteWaitingTasks(db, projectId, id);
  if (ids.length === 0) return;
  const what = ids.length === 1 ? 'A task of the template has' : `${ids.length} tasks of the template have`;
  throw new AppError('conflict', `${what} not ended yet: stop that first`, { tasks: ids });
}

async function refuseWhenDeployed(db: Db, { projectId, id }: TemplatePlace): Promise<void> {
  const { templates, ...others } = await findTemplateBlockers(db, projectId, id);
  const deploys = { ...others, integrations: [], templates };
  if (isUsed(deploys)) throw inUse('build template', deploys);
}

function refuse(code: 'invalid', problems: FieldProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const isSentence = /^[A-Z]/.test(first.message);
  throw new AppError(code, isSentence ? first.message : `${first.path} ${first.message}`, problems);
}

function wrongLink(path: string, message: string): AppError {
  return new AppError('invalid', `${path} ${message}`, [{ path, message }]);
}

function unknownVault(): AppError {
  const message = 'names a vault that is not one of this template';
  return new AppError('unknown_reference', `vaults ${message}`, [{ path: 'vaults', message }]);
}

async function recordChange(
  db: Db,
  actor: Actor,
  { projectId, id }: TemplatePlace,
  name: string,
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId,
    objectType: 'template',
    objectId: id,
    objectName: name,
    description: `Template ${name} ${verb}`,
  });
}

import type { Integration, IntegrationChange, IntegrationInput } from '@signalbox/contract/integrations';
import type { References } from '@signalbox/contract/references';
import type { TaskParams } from '@signalbox/contract/tasks';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { requirePasswordKey } from '../keys/keys.ts';
import { requireOwn, requireSameIds } from '../references/references.ts';
import {
  deleteIntegration,
  findIntegration,
  type IntegrationValues,
  insertIntegration,
  updateIntegration,
} from './queries.ts';

/** Nothing ever keeps an integration, a matcher or a value from being deleted. */
export const noReferences: References = {
  templates: [],
  inventories: [],
  repositories: [],
  integrations: [],
  schedules: [],
};

/** @throws AppError not_found, also for an integration of another project */
export async function requireIntegration(db: Db, projectId: number, id: number): Promise<Integration> {
  const integration = await findIntegration(db, projectId, id);
  if (integration === undefined) throw new AppError('not_found', 'There is no such integration in this project');
  return integration;
}

export function createIntegration(
  database: Database,
  actor: Actor,
  projectId: number,
  input: IntegrationInput,
): Promise<Integration> {
  requireSameIds({ projectId }, input);
  const values = mergeIntegration(undefined, input);
  return database.transact(async (db) => {
    await checkIntegration(db, projectId, values);
    const id = await insertIntegration(db, projectId, values);
    await recordChange(db, actor, { projectId, id }, values.name, 'created');
    return requireIntegration(db, projectId, id);
  });
}

export type IntegrationPlace = { readonly projectId: number; readonly id: number };

export async function changeIntegration(
  database: Database,
  actor: Actor,
  place: IntegrationPlace,
  change: IntegrationChange,
): Promise<void> {
  requireSameIds(place, change);
  await database.transact(async (db) => {
    const values = mergeIntegration(await requireIntegration(db, place.projectId, place.id), change);
    await checkIntegration(db, place.projectId, values);
    await updateIntegration(db, place.projectId, place.id, values);
    await recordChange(db, actor, place, values.name, 'updated');
  });
}

/** Aliases, matchers, values and deliveries go with it; its tasks stay. */
export async function removeIntegration(database: Database, actor: Actor, place: IntegrationPlace): Promise<void> {
  await database.transact(async (db) => {
    const { name } = await requireIntegration(db, place.projectId, place.id);
    await deleteIntegration(db, place.projectId, place.id);
    await recordChange(db, actor, place, name, 'deleted');
  });
}

function mergeIntegration(stored: Integration | undefined, given: IntegrationInput): IntegrationValues {
  return {
    name: given.name,
    template_id: given.template_id,
    auth_method: given.auth_method ?? stored?.auth_method ?? '',
    auth_header: given.auth_header ?? (given.auth_header === null ? '' : (stored?.auth_header ?? '')),
    auth_secret_id: given.auth_secret_id === undefined ? (stored?.auth_secret_id ?? null) : given.auth_secret_id,
    searchable: given.searchable ?? stored?.searchable ?? false,
    task_params: given.task_params === undefined ? (stored?.task_params ?? null) : readTaskParams(given.task_params),
  };
}

function readTaskParams(given: NonNullable<IntegrationInput['task_params']> | null): TaskParams | null {
  if (given === null) return null;
  const { limit, tags, skip_tags, ...switches } = given;
  const lists = { limit, tags, skip_tags };
  const params: TaskParams = switches;
  for (const name of ['limit', 'tags', 'skip_tags'] as const) {
    const list = lists[name];
    if (list !== undefined) params[name] = typeof list === 'string' ? splitList(list) : list;
  }
  return params;
}

/** The older product sends one text. */
function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

async function checkIntegration(db: Db, projectId: number, values: IntegrationValues): Promise<void> {
  const { auth_method, auth_header, auth_secret_id, template_id } = values;
  if ((auth_method === 'token' || auth_method === 'hmac') && auth_header === '') {
    throw wrong('auth_header', 'is required');
  }
  await requireOwn(db, projectId, [
    { field: 'template_id', table: 'template', id: template_id },
    { field: 'auth_secret_id', table: 'key', id: auth_secret_id },
  ]);
  if (auth_secret_id !== null) await requirePasswordKey(db, projectId, auth_secret_id, 'auth_secret_id');
}

function wrong(path: string, message: string): AppError {
  return new AppError('invalid', `${path} ${message}`, [{ path, message }]);
}

async function recordChange(
  db: Db,
  actor: Actor,
  { projectId, id }: IntegrationPlace,
  name: string,
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId,
    objectType: 'integration',
    objectId: id,
    objectName: name,
    description: `Integration ${name} ${verb}`,
  });
}

import type { Environment, EnvironmentChange, EnvironmentInput } from '@signalbox/contract/environments';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import type { Keyring } from '../../db/secrets.ts';
import { AppError } from '../../errors.ts';
import { findEnvironmentReferences, removeUnused, requireSameIds } from '../references/references.ts';
import {
  deleteEnvironment,
  type EnvironmentPlace,
  findEnvironment,
  insertEnvironment,
  lockEnvironment,
  updateEnvironment,
} from './queries.ts';
import { applySecretOperations } from './secret-operations.ts';

export async function requireEnvironment(db: Db, projectId: number, id: number): Promise<Environment> {
  const environment = await findEnvironment(db, projectId, id);
  if (environment === undefined) throw new AppError('not_found', 'There is no such variable group in this project');
  return environment;
}

export function createEnvironment(
  database: Database,
  actor: Actor,
  projectId: number,
  input: EnvironmentInput,
): Promise<Environment> {
  requireSameIds({ projectId }, input);
  return database.transact(async (db) => {
    const environment = await addEnvironment(db, database.keyring, projectId, input);
    await recordChange(db, actor, environment, 'created');
    return environment;
  });
}

/** Adds a variable group inside a transaction that makes more than one. */
export async function addEnvironment(
  db: Db,
  keyring: Keyring,
  projectId: number,
  { name, json, env = null, secrets }: EnvironmentInput,
): Promise<Environment> {
  const id = await insertEnvironment(db, projectId, { name, json, env });
  // In a new group every secret is new, whether or not that is said.
  const created = (secrets ?? []).map((secret) => ({ ...secret, operation: secret.operation || ('create' as const) }));
  await applySecretOperations(db, keyring, { projectId, id }, [], created);
  return requireEnvironment(db, projectId, id);
}

export async function changeEnvironment(
  database: Database,
  actor: Actor,
  place: EnvironmentPlace,
  change: EnvironmentChange,
): Promise<void> {
  requireSameIds(place, change);
  await database.transact(async (db) => {
    await lockEnvironment(db, place.projectId, place.id);
    const stored = await requireEnvironment(db, place.projectId, place.id);
    const { name, json = stored.json, env = stored.env } = change;
    await updateEnvironment(db, place.projectId, place.id, { name, json, env });
    await applySecretOperations(db, database.keyring, place, stored.secrets ?? [], change.secrets ?? []);
    await recordChange(db, actor, { ...stored, name }, 'updated');
  });
}

export async function removeEnvironment(database: Database, actor: Actor, place: EnvironmentPlace): Promise<void> {
  const environment = await requireEnvironment(database.read, place.projectId, place.id);
  const removal = { kind: 'variable group', ...place, findReferences: findEnvironmentReferences };
  await removeUnused(database, removal, async (db) => {
    await deleteEnvironment(db, place.projectId, place.id);
    await recordChange(db, actor, environment, 'deleted');
  });
}

async function recordChange(
  db: Db,
  actor: Actor,
  environment: Environment,
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: environment.project_id,
    objectType: 'environment',
    objectId: environment.id,
    objectName: environment.name,
    description: `Environment ${environment.name} ${verb}`,
  });
}

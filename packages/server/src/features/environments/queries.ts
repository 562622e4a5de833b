import type { Environment, EnvironmentSecret, SecretType } from '@signalbox/contract/environments';
import type { Db } from '../../db/database.ts';
import { orderBy, type SortRequest } from '../../sorting.ts';

export type EnvironmentValues = Pick<Environment, 'name' | 'json' | 'env'>;

export async function listEnvironments(db: Db, projectId: number, sort: SortRequest): Promise<Environment[]> {
  const rows = await db
    .selectFrom('environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy(orderBy(sort, 'environment', ['name']))
    .execute();
  return rows.map((row) => ({ ...row, secrets: null }));
}

export async function findEnvironment(db: Db, projectId: number, id: number): Promise<Environment | undefined> {
  const row = await db
    .selectFrom('environment')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, secrets: await listSecrets(db, projectId, id) };
}

async function listSecrets(db: Db, projectId: number, environmentId: number): Promise<EnvironmentSecret[]> {
  const rows = await db
    .selectFrom('environment_secret')
    .select(['id', 'type', 'name'])
    .where('project_id', '=', projectId)
    .where('environment_id', '=', environmentId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, secret: '' }));
}

export async function insertEnvironment(db: Db, projectId: number, values: EnvironmentValues): Promise<number> {
  const row = await db
    .insertInto('environment')
    .values({ ...values, project_id: projectId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Nobody else changes the group or its secrets from here on until the end of the transaction. */
export async function lockEnvironment(db: Db, projectId: number, id: number): Promise<void> {
  await db
    .selectFrom('environment')
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .forNoKeyUpdate()
    .execute();
}

export async function updateEnvironment(
  db: Db,
  projectId: number,
  id: number,
  values: EnvironmentValues,
): Promise<void> {
  await db.updateTable('environment').set(values).where('id', '=', id).where('project_id', '=', projectId).execute();
}

export async function deleteEnvironment(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('environment').where('id', '=', id).where('project_id', '=', projectId).execute();
}

export type EnvironmentPlace = { projectId: number; id: number };

/** Without its value: that is sealed with the id, which the row has only now. */
export async function insertSecret(
  db: Db,
  { projectId, id }: EnvironmentPlace,
  secret: { type: SecretType; name: string },
): Promise<number> {
  const row = await db
    .insertInto('environment_secret')
    .values({ ...secret, project_id: projectId, environment_id: id, secret: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateSecret(
  db: Db,
  { projectId, id }: EnvironmentPlace,
  secretId: number,
  change: { type?: SecretType; name?: string; secret?: string },
): Promise<void> {
  await db
    .updateTable('environment_secret')
    .set(change)
    .where('id', '=', secretId)
    .where('environment_id', '=', id)
    .where('project_id', '=', projectId)
    .execute();
}

export async function deleteSecret(db: Db, { projectId, id }: EnvironmentPlace, secretId: number): Promise<void> {
  await db
    .deleteFrom('environment_secret')
    .where('id', '=', secretId)
    .where('environment_id', '=', id)
    .where('project_id', '=', projectId)
    .execute();
}

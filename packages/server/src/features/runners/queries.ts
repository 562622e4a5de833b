import { Machine } from '@signalbox/contract/runner-protocol';
import type { Runner } from '@signalbox/contract/runners';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.ts';
import type { RunnerInstanceTable, RunnerTable } from '../../db/tables.ts';
import { isBusy } from '../../engine/task-sets.ts';

type RunnerRow = Selectable<RunnerTable>;
type InstanceRow = Pick<Selectable<RunnerInstanceTable>, 'runner_id' | 'version' | 'machine' | 'last_seen' | 'gone'>;

/** Which runners: those of a project, or of the whole installation. */
export type RunnerScope = { readonly projectId?: number };

function selectRunners(db: Db, { projectId }: RunnerScope) {
  const query = db.selectFrom('runner').selectAll().where('deleted', 'is', null);
  return projectId === undefined ? query : query.where('project_id', '=', projectId);
}

/** @param onlineSince whoever was heard of since is online */
export async function listRunners(db: Db, scope: RunnerScope, onlineSince: number): Promise<Runner[]> {
  const rows = await selectRunners(db, scope).orderBy(sql`lower(name)`).orderBy('id').execute();
  return await toRunners(db, rows, onlineSince);
}

export async function findRunner(
  db: Db,
  scope: RunnerScope,
  id: number,
  onlineSince: number,
): Promise<Runner | undefined> {
  const row = await selectRunners(db, scope).where('id', '=', id).executeTakeFirst();
  return row && (await toRunners(db, [row], onlineSince))[0];
}

async function toRunners(db: Db, rows: readonly RunnerRow[], onlineSince: number): Promise<Runner[]> {
  const newest = await readNewestInstances(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toRunner(row, newest.get(row.id), onlineSince));
}

/** The process that a runner has now, or had last. */
async function readNewestInstances(db: Db, ids: readonly number[]): Promise<Map<number, InstanceRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('runner_instance')
    .select(['runner_id', 'version', 'machine', 'last_seen', 'gone'])
    .where('runner_id', 'in', ids)
    .orderBy('first_seen')
    .execute();
  const newest = new Map<number, InstanceRow>();
  for (const row of rows) if (row.runner_id !== null) newest.set(row.runner_id, row);
  return newest;
}

function toRunner(row: RunnerRow, instance: InstanceRow | undefined, onlineSince: number): Runner {
  const { token_hash: _, public_key: __, deleted: ___, ...shown } = row;
  const machine = instance && z.parse(Machine, JSON.parse(instance.machine));
  return {
    ...shown,
    tag: row.tag ?? '',
    created: new Date(row.created).toISOString(),
    online: instance !== undefined && instance.gone === null && instance.last_seen >= onlineSince,
    last_seen: instance === undefined ? null : new Date(instance.last_seen).toISOString(),
    version: instance?.version ?? '',
    hostname: machine?.hostname ?? '',
    stray_mode: machine?.stray_mode ?? null,
    tools: machine?.tools ?? [],
  };
}

export type RunnerSettings = Pick<
  RunnerRow,
  'name' | 'tag' | 'webhook' | 'max_parallel_tasks' | 'active' | 'lost_after_seconds'
>;
type NewRunner = RunnerSettings & Pick<RunnerRow, 'project_id' | 'token_hash' | 'public_key' | 'created'>;

export async function insertRunner(db: Db, values: NewRunner): Promise<number> {
  const row = await db.insertInto('runner').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** @returns whether it was there */
export async function updateRunner(
  db: Db,
  { projectId }: RunnerScope,
  id: number,
  values: Partial<RunnerSettings>,
): Promise<boolean> {
  let query = db.updateTable('runner').set(values).where('id', '=', id).where('deleted', 'is', null);
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/**
 * Lets the row stay, so that the tasks that it ran go on naming it; its token opens nothing any more.
 * @returns whether it was there
 */
export async function retireRunner(db: Db, { projectId }: RunnerScope, id: number, now: number): Promise<boolean> {
  const values = { deleted: now, active: false, token_hash: `deleted ${id}`, public_key: null };
  let query = db.updateTable('runner').set(values).where('id', '=', id).where('deleted', 'is', null);
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function deleteInstances(db: Db, runnerId: number): Promise<void> {
  await db.deleteFrom('runner_instance').where('runner_id', '=', runnerId).execute();
}

/** Tasks that a runner has in hand. */
export async function listHeldTasks(db: Db, runnerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where(isBusy)
    .where('runner_id', '=', runnerId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

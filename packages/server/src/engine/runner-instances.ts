import { randomBytes } from 'node:crypto';
import type { SyncRequest } from '@signalbox/contract/runner-protocol';
import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { RunnerInstanceTable } from '../db/tables.ts';
import type { OnlineRunner } from './choose-tasks.ts';
import type { RunnerIdentity } from './runner-identity.ts';
import { isBusy } from './task-sets.ts';

export type InstanceRow = Selectable<RunnerInstanceTable>;

/** Of a process that was started and has not spoken yet: it chooses its own name. */
const placeholder = 'started-';
/** The protocol of such a process. */
export const notSpoken = -1;
/** Rows of processes that are long gone, and of which no task is left. */
const forgetAfter = 24 * 3600 * 1000;

/** The runner of a token, by the token's hash. */
export async function findRunnerByToken(db: Db, tokenHash: string): Promise<RunnerIdentity | undefined> {
  const own = await db
    .selectFrom('runner_instance')
    .select(['instance', 'server'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (own !== undefined) {
    return { ...own, runnerId: null, projectId: null, tag: null, limit: 0, active: true, publicKey: null };
  }
  const runner = await db
    .selectFrom('runner')
    .select(['id', 'project_id', 'tag', 'max_parallel_tasks', 'active', 'public_key'])
    .where('token_hash', '=', tokenHash)
    .where('deleted', 'is', null)
    .executeTakeFirst();
  return (
    runner && {
      runnerId: runner.id,
      server: null,
      instance: null,
      projectId: runner.project_id,
      tag: runner.tag,
      limit: runner.max_parallel_tasks,
      active: runner.active,
      publicKey: runner.public_key,
    }
  );
}

/** Lets a process of the built-in runner in that is about to be started. */
export async function insertPlaceholder(
  db: Db,
  { server, tokenHash, now }: { server: string; tokenHash: string; now: number },
): Promise<string> {
  const instance = `${placeholder}${randomBytes(12).toString('hex')}`;
  await db
    .insertInto('runner_instance')
    .values({
      instance,
      runner_id: null,
      server,
      token_hash: tokenHash,
      public_key: null,
      protocol: notSpoken,
      version: '',
      machine: '{}',
      draining: false,
      first_seen: now,
      last_seen: now,
      gone: null,
    })
    .execute();
  return instance;
}

/** A process that ended before it spoke. @returns whether it was one */
export async function deletePlaceholder(db: Db, instance: string): Promise<boolean> {
  const result = await db.deleteFrom('runner_instance').where('instance', '=', instance).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const isPlaceholder = (instance: string): boolean => instance.startsWith(placeholder);

/** Writes down that a process was heard of, and what it says of itself. */
export async function saveContact(
  db: Db,
  { identity, request }: { identity: RunnerIdentity; request: SyncRequest },
  { isReplaced, now }: { isReplaced: boolean; now: number },
): Promise<void> {
  const said = {
    public_key: request.public_key,
    protocol: request.protocol,
    version: request.version.slice(0, 100).replaceAll('\0', '').toWellFormed(),
    machine: JSON.stringify(request.machine),
    draining: request.draining,
    last_seen: now,
    // Whoever was given up and calls again is there; whoever has a successor shall end.
    gone: isReplaced ? now : null,
  };
  if (identity.instance !== null && isPlaceholder(identity.instance)) {
    await db
      .updateTable('runner_instance')
      .set({ ...said, instance: request.instance, first_seen: now })
      .where('instance', '=', identity.instance)
      .execute();
    return;
  }
  await db
    .insertInto('runner_instance')
    .values({
      ...said,
      instance: request.instance,
      runner_id: identity.runnerId,
      server: identity.server,
      token_hash: null,
      first_seen: now,
    })
    .onConflict((conflict) => conflict.column('instance').doUpdateSet(said))
    .execute();
}

export async function markGone(db: Db, instances: readonly string[], now: number): Promise<void> {
  if (instances.length === 0) return;
  await db.updateTable('runner_instance').set({ gone: now }).where('instance', 'in', instances).execute();
}

/** Processes of the same runner, this one included, oldest first; placeholders are none yet. */
export async function listSiblings(db: Db, identity: RunnerIdentity): Promise<InstanceRow[]> {
  const rows = await db
    .selectFrom('runner_instance')
    .selectAll()
    .where('runner_id', identity.runnerId === null ? 'is' : '=', identity.runnerId)
    .where('server', identity.server === null ? 'is' : '=', identity.server)
    .orderBy('first_seen')
    .orderBy('instance')
    .execute();
  return rows.filter((row) => !isPlaceholder(row.instance));
}

export async function isKnownInstance(db: Db, instance: string): Promise<boolean> {
  const row = await db
    .selectFrom('runner_instance')
    .select('instance')
    .where('instance', '=', instance)
    .executeTakeFirst();
  return row !== undefined;
}

/** Runner processes that may be given work, wherever they wait for it. Their free slots are known there only. */
export async function listOnlineRunners(db: Db, onlineSince: number): Promise<OnlineRunner[]> {
  const rows = await db
    .selectFrom('runner_instance')
    .leftJoin('runner', 'runner.id', 'runner_instance.runner_id')
    .select(['runner_instance.instance', 'runner_instance.runner_id', 'runner.project_id', 'runner.tag'])
    .select(['runner.max_parallel_tasks', 'runner.active'])
    .where('runner_instance.last_seen', '>=', onlineSince)
    .where('runner_instance.gone', 'is', null)
    .where('runner_instance.draining', '=', false)
    .where('runner_instance.protocol', '!=', notSpoken)
    .execute();
  return rows
    .filter((row) => row.active !== false)
    .map((row) => ({
      instance: row.instance,
      runnerId: row.runner_id,
      projectId: row.project_id,
      tag: row.tag,
      free: null,
      limit: row.max_parallel_tasks ?? 0,
      isHere: false,
    }));
}

/**
 * Those that may still take work, with their limits as they are now: a registration may have been changed, switched off or
 * deleted since their sync was sent.
 */
export async function keepRegistered(db: Db, runners: readonly OnlineRunner[]): Promise<readonly OnlineRunner[]> {
  const ids = new Set(runners.flatMap(({ runnerId }) => (runnerId === null ? [] : [runnerId])));
  if (ids.size === 0) return runners;
  const rows = await db
    .selectFrom('runner')
    .select(['id', 'project_id as projectId', 'tag', 'max_parallel_tasks as limit'])
    .where('id', 'in', [...ids])
    .where('active', '=', true)
    .where('deleted', 'is', null)
    .execute();
  const registered = new Map(rows.map(({ id, ...current }) => [id, current]));
  return runners.flatMap((runner) => {
    if (runner.runnerId === null) return [runner];
    const current = registered.get(runner.runnerId);
    return current === undefined ? [] : [{ ...runner, ...current }];
  });
}

export async function deleteForgotten(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('runner_instance')
    .where('last_seen', '<', now - forgetAfter)
    .where('instance', 'not in', (eb) =>
      eb.selectFrom('task').select('task.instance').where(isBusy).where('task.instance', 'is not', null).$castTo<{
        instance: string;
      }>(),
    )
    .execute();
}

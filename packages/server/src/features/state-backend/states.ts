import { StateLock } from '@signalbox/contract/state-backend';
import { isFinal } from '@signalbox/contract/task-state';
import * as z from 'zod/mini';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { placeOf } from '../../db/sealed-columns.ts';
import { mayStillRun } from '../../engine/lost-tasks.ts';
import { AppError } from '../../errors.ts';
import type { OpenedState } from './access.ts';
import {
  deleteLock,
  findLock,
  findNewestState,
  findTaskOfState,
  insertLock,
  insertState,
  type StoredLock,
} from './queries.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const StateHead = z.looseObject({ version: z.int(), serial: z.optional(z.int()) });

function parseBody<T>(schema: z.ZodMiniType<T>, body: Buffer, what: string): { text: string; value: T } {
  try {
    const text = decoder.decode(body);
    return { text, value: z.parse(schema, JSON.parse(text)) };
  } catch {
    throw new AppError('invalid', `The body is not ${what}`);
  }
}

/** The text of the state, exactly as the tool sent it: its numbers may be longer than ours. */
export async function readState({ read, keyring }: Database, { owner }: OpenedState): Promise<string> {
  const newest = await findNewestState(read, owner);
  const text = newest === undefined ? '' : keyring.open(newest.state, placeOf('terraform_state', newest.id));
  if (text === '') throw new AppError('not_found', 'There is no state yet');
  return text;
}

export async function writeState(
  database: Database,
  opened: OpenedState,
  lockId: string | undefined,
  body: Buffer,
): Promise<void> {
  const { text, value } = parseBody(StateHead, body, 'a state of Terraform');
  await store(database, opened, lockId, { text, serial: value.serial ?? 0 });
}

/** What comes after is as if there had been none; what was stays in the history. */
export async function removeState(database: Database, opened: OpenedState, lockId: string | undefined): Promise<void> {
  await store(database, opened, lockId, { text: '', serial: 0 });
}

async function store(
  database: Database,
  opened: OpenedState,
  lockId: string | undefined,
  state: { text: string; serial: number },
): Promise<void> {
  const { owner, taskId } = opened;
  await database.transact(async (db) => {
    const lock = await findLock(db, owner);
    if (lock !== undefined && lock.lock_id !== lockId) throw refuseLocked(lock);
    await insertState(db, database.keyring, owner, { ...state, taskId });
    await record(db, opened, state.text === '' ? 'removed' : `stored, serial ${state.serial}`);
  });
}

export async function lockState(database: Database, opened: OpenedState, body: Buffer): Promise<void> {
  const { value } = parseBody(StateLock, body, 'a lock of Terraform');
  try {
    await database.transact(async (db) => {
      const held = await findLock(db, opened.owner);
      if (held !== undefined && held.lock_id !== value.ID) await takeOver(db, opened, held);
      if (held === undefined || held.lock_id !== value.ID) await insertLock(db, opened.owner, value, opened.taskId);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Two at the same moment: the other one was first.
    const held = await findLock(database.read, opened.owner);
    throw held === undefined
      ? new AppError('conflict', 'The lock was given back just now: ask again')
      : refuseLocked(held);
  }
}

/** Nothing runs any more of a task that has ended, so its lock protects nothing. @throws AppError */
async function takeOver(db: Db, opened: OpenedState, held: StoredLock): Promise<void> {
  const holder = held.task_id === null ? undefined : await findTaskOfState(db, held.task_id);
  if (holder === undefined || !isFinal(holder.status) || mayStillRun(holder.reason)) throw refuseLocked(held);
  await deleteLock(db, held.id);
  await record(db, opened, `taken over from task ${holder.id}, which ended without giving its lock back`);
}

/** @param body the lock that is given back; empty, as `force-unlock` sends it: whatever lock there is */
export async function unlockState(database: Database, opened: OpenedState, body: Buffer): Promise<void> {
  const given = body.length === 0 ? undefined : parseBody(StateLock, body, 'a lock of Terraform').value;
  await database.transact(async (db) => {
    const held = await findLock(db, opened.owner);
    if (held === undefined) return;
    if (given !== undefined && given.ID !== held.lock_id) throw refuseLocked(held);
    await deleteLock(db, held.id);
    if (given === undefined) await record(db, opened, 'unlocked by force');
  });
}

/** The tool prints what stands in the lock. */
function refuseLocked({ lock }: StoredLock): AppError {
  return new AppError('locked', 'The state is locked by somebody else', JSON.parse(lock));
}

async function record(db: Db, { owner, name, taskId, actor }: OpenedState, what: string): Promise<void> {
  const by = taskId === null ? '' : ` by task ${taskId}`;
  await recordEvent(db, actor, {
    projectId: owner.projectId,
    objectType: owner.inventoryId === null ? 'template' : 'inventory',
    objectId: owner.inventoryId ?? owner.templateId,
    objectName: name,
    description: `State of workspace ${owner.workspace} ${what}${by}`,
  });
}

import * as z from 'zod/mini';
import type { Db } from '../db/database.ts';
import { placeOf } from '../db/sealed-columns.ts';
import type { Keyring } from '../db/secrets.ts';

const place = (taskId: number) => placeOf('task_secret', taskId);
const SecretAnswers = z.record(z.string(), z.string());

/** Keeps the secret answers of a task that has not started. */
export async function sealAnswers(
  db: Db,
  keyring: Keyring,
  taskId: number,
  answers: Record<string, string>,
): Promise<void> {
  const secret = keyring.seal(JSON.stringify(answers), place(taskId));
  await db.insertInto('task_secret').values({ task_id: taskId, secret }).execute();
}

/** @throws when they were sealed with a key that is not there any more. */
export function openAnswers(keyring: Keyring, row: { task_id: number; secret: string }): Record<string, string> {
  return z.parse(SecretAnswers, JSON.parse(keyring.open(row.secret, place(row.task_id))));
}

/** They are needed once: nothing of them stays when the tool may start, or when the task ends. */
export async function deleteAnswers(db: Db, taskIds: readonly number[]): Promise<void> {
  if (taskIds.length > 0) await db.deleteFrom('task_secret').where('task_id', 'in', taskIds).execute();
}

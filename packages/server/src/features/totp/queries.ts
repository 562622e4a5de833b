import type { Db } from '../../db/database.ts';

export type TotpEntry = { id: number; secret: string; last_step: number | null };

export function findTotp(db: Db, userId: number): Promise<TotpEntry | undefined> {
  return db.selectFrom('totp').select(['id', 'secret', 'last_step']).where('user_id', '=', userId).executeTakeFirst();
}

/** Without its secret: that is sealed with the id, which the row has only now. */
export async function insertTotp(
  db: Db,
  row: { user_id: number; recovery_hash: string | null; created: number },
): Promise<number> {
  const { id } = await db
    .insertInto('totp')
    .values({ ...row, secret: '', last_step: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateSecret(db: Db, id: number, secret: string): Promise<void> {
  await db.updateTable('totp').set({ secret }).where('id', '=', id).execute();
}

/** Whether the time step was still unused: a code counts once, on any number of servers. */
export async function takeTimeStep(db: Db, id: number, step: number): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteTotp(db: Db, userId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('totp')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the entry that a recovery code belongs to; false for a wrong code. */
export async function redeemRecovery(db: Db, userId: number, recoveryHash: string): Promise<boolean> {
  const row = await db
    .deleteFrom('totp')
    .where('user_id', '=', userId)
    .where('recovery_hash', '=', recoveryHash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { StateTables } from '../../db/tables.ts';

type Row = Insertable<StateTables['runner_registration']>;

export async function insertRegistration(db: Db, values: Row): Promise<number> {
  const row = await db.insertInto('runner_registration').values(values).returning('id').executeTakeFirstOrThrow();
  return Number(row.id);
}

/** Of all that come with the same token, one gets the row. */
export async function spendRegistration(db: Db, tokenHash: string, now: number) {
  return await db
    .updateTable('runner_registration')
    .set({ used: now })
    .where('token_hash', '=', tokenHash)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .returning(['project_id', 'tag', 'max_parallel_tasks'])
    .executeTakeFirst();
}

/** Nobody can spend them any more. */
export async function deleteOldRegistrations(db: Db, before: number): Promise<void> {
  await db.deleteFrom('runner_registration').where('expires', '<', before).execute();
}

import { sql } from 'kysely';
import type { Database, Db } from '../db/database.ts';

/** Name of the lock among the advisory locks of the database. */
const peopleLock = 7_401_002;

/**
 * For rules over several users (somebody stays administrator, a login is nobody's address): until the end of the
 * transaction no other server changes any. On SQLite transactions are one after the other anyway.
 */
export async function lockPeople(db: Db, engine: Database['engine']): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${peopleLock})`.execute(db);
}

/**
 * Until the end of the transaction nobody begins a session of this user or gives him a second step, on any server: a
 * session must not slip in between that is good without it.
 */
export async function lockUser(db: Db, userId: number): Promise<void> {
  await db.selectFrom('user').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

export async function hasOtherAdministrator(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where('admin', '=', true)
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

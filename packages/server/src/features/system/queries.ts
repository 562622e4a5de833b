import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Whether the database answers within some time: a connection that hangs is none. */
export async function canRead(db: Db, patienceMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patienceMs);
  try {
    return await Promise.race([late, answers(db)]);
  } finally {
    clearTimeout(timer);
  }
}

async function answers(db: Db): Promise<boolean> {
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch {
    return false; // whatever the reason: that it does not answer is the answer
  }
}

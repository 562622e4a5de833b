import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export async function canRead(db: Db): Promise<boolean> {
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch {
    return false; // whatever the reason: that it does not answer is the answer
  }
}

import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

type Called = { id: number; external: boolean };

/** Those who sign in with this text, be it their user name or their e-mail address, in any letter case. */
export async function listCalled(db: Db, text: string): Promise<Called[]> {
  const wanted = foldName(text);
  if (wanted === '') return [];
  let query = db.selectFrom('user').select(['id', 'external', 'username', 'email']);
  // What the databases call small letters beyond ASCII depends on them: those few names are compared here.
  if (/^[\x20-\x7e]*$/.test(wanted)) {
    query = query.where((eb) =>
      eb.or([
        eb(sql`lower(username)`, '=', wanted),
        // As the index says it.
        eb.and([eb(sql`lower(email)`, '=', wanted), eb('email', '<>', '')]),
      ]),
    );
  }
  const rows = await query.execute();
  return rows.filter(({ username, email }) => foldName(username) === wanted || foldName(email) === wanted);
}

function foldName(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

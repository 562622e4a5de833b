import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export type Called = { id: number; username: string; email: string; password: string | null; external: boolean };

/** Those who sign in with this text, be it their user name or their e-mail address, in any letter case. */
export async function listCalled(db: Db, text: string): Promise<Called[]> {
  const wanted = foldName(text);
  if (wanted === '') return [];
  let query = db.selectFrom('user').select(['id', 'username', 'email', 'password', 'external']).orderBy('id');
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

/** By user name or e-mail address, in any letter case. A user name wins over the same text as somebody's address. */
export async function findLogin(db: Db, text: string): Promise<Called | undefined> {
  const called = await listCalled(db, text);
  return called.find(({ username }) => foldName(username) === foldName(text)) ?? called[0];
}

/** Whether a text signs somebody else in, as his user name or his e-mail address. */
export async function isTaken(db: Db, text: string, exceptId?: number): Promise<boolean> {
  return (await listCalled(db, text)).some(({ id }) => id !== exceptId);
}

/** One text for all spellings of a name. */
export function foldName(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

import { findLogin } from '../auth/login-names.ts';
import { hashPassword } from '../auth/passwords.ts';
import { endSessionsOf } from '../auth/sessions.ts';
import type { Database } from '../db/database.ts';
import { noActor, recordEvent } from '../db/events.ts';
import { createUser } from '../features/users/accounts.ts';

/** Nobody reads mail there: the top-level domain leads nowhere by its definition. It marks the accounts of demos. */
const domain = '@demo.invalid';

/**
 * Makes the account of a public demo where it is missing, without any right, and opens it where it was closed.
 *
 * @returns its id where it was made
 */
export async function openDemoAccount(
  database: Database,
  { login, password }: { login: string; password: string },
): Promise<number | undefined> {
  const known = await findLogin(database.read, login);
  if (known === undefined) {
    const email = `${encodeURIComponent(login)}${domain}`;
    return (await createUser(database, noActor, { username: login, name: 'Demo visitor', email, password })).id;
  }
  if (known.password !== null || !known.email.endsWith(domain)) return undefined;
  const hash = await hashPassword(password);
  await database.transact((db) => db.updateTable('user').set({ password: hash }).where('id', '=', known.id).execute());
  return undefined;
}

/** Outside of a demo a password that everybody was shown opens nothing any more, and nobody stays signed in by it. */
export async function closeDemoAccounts(database: Database): Promise<void> {
  await database.transact(async (db) => {
    const closed = await db
      .updateTable('user')
      .set({ password: null })
      .where('email', 'like', `%${domain}`)
      .where('password', 'is not', null)
      .returning(['id', 'username'])
      .execute();
    for (const { id, username } of closed) {
      await endSessionsOf(db, id, undefined);
      await db.deleteFrom('api_token').where('user_id', '=', id).execute();
      await recordEvent(db, noActor, {
        projectId: null,
        objectType: 'user',
        objectId: id,
        objectName: username,
        description: `User ${username} was closed: this is no demo any more`,
      });
    }
  });
}

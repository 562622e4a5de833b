import { findLogin } from '../auth/login-names.ts';
import type { Database } from '../db/database.ts';
import { noActor } from '../db/events.ts';
import { createUser } from '../features/users/accounts.ts';

/** Makes the account of a public demo where it is missing, without any right. Its id; undefined where it is there already. */
export async function createDemoAccount(
  database: Database,
  { login, password }: { login: string; password: string },
): Promise<number | undefined> {
  if ((await findLogin(database.read, login)) !== undefined) return undefined;
  // Nobody reads mail there: the top-level domain leads nowhere by its definition.
  const email = `${encodeURIComponent(login)}@demo.invalid`;
  return (await createUser(database, noActor, { username: login, name: 'Demo visitor', email, password })).id;
}

import { generate } from 'otplib';
import { hashPassword } from '../../auth/passwords.ts';
import { placeOf } from '../../db/sealed-columns.ts';
import { aUser } from '../factories.ts';
import type { TestServer } from '../start-test-server.ts';

const password = 'swordfish and chips';
const known = new WeakMap<TestServer, Promise<string>>();

/** Somebody who signs in with a password; made once for a server, as hashing costs time. */
export async function readPassword(server: TestServer): Promise<{ username: string; password: string }> {
  let username = known.get(server);
  if (username === undefined) {
    username = createAccount(server);
    known.set(server, username);
  }
  return { username: await username, password };
}

async function createAccount(server: TestServer): Promise<string> {
  const { actor } = await aUser(server, { password: await hashPassword(password) });
  return actor.username;
}

/** What the authenticator of a user shows now. */
export async function passcodeOf({ database }: TestServer, userId: number): Promise<string> {
  const { id, secret } = await database.read
    .selectFrom('totp')
    .select(['id', 'secret'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return await generate({ secret: database.keyring.open(secret, placeOf('totp', id)) });
}

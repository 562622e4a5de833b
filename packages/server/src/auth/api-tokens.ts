import type { Db } from '../db/database.ts';
import type { SignedInUser } from './actor.ts';
import { hashToken } from './tokens.ts';

/** The user of an API token. Tokens are lower-case text, so that clients which lower the header's case can use them. */
export async function findApiTokenUser(db: Db, token: string, now: number): Promise<SignedInUser | undefined> {
  const row = await db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .select(['user.id', 'user.username', 'user.name', 'user.admin'])
    .where('api_token.token_hash', '=', hashToken(token.toLowerCase()))
    .where('api_token.revoked', '=', false)
    .where((eb) => eb.or([eb('api_token.expires', 'is', null), eb('api_token.expires', '>', now)]))
    .executeTakeFirst();
  return row && { userId: row.id, username: row.username, name: row.name, admin: row.admin };
}

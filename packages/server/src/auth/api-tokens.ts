import { randomBytes } from 'node:crypto';
import type { Database, Db } from '../db/database.ts';
import type { SignedInUser } from './actor.ts';
import { hashToken } from './tokens.ts';

/** How fine `last_used` is: a write for every request would be waste. */
const useStep = 60_000;
const idLength = 16;

/**
 * Lower-case, because clients of the older product lower the case of the whole header. The id is the beginning of the
 * token: what is left of it has 208 bits.
 */
export function createApiToken(): { token: string; id: string } {
  const token = `sbt_${randomBytes(32).toString('hex')}`;
  return { token, id: token.slice(0, idLength) };
}

export function hashApiToken(token: string): string {
  return hashToken(token.toLowerCase());
}

export type FoundToken = { id: string; lastUsed: number | null; user: SignedInUser };

/** The user of an API token that is neither revoked nor out of time. */
export async function findApiToken(db: Db, token: string, now: number): Promise<FoundToken | undefined> {
  const row = await db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .select(['api_token.id', 'api_token.last_used', 'user.id as user_id', 'user.username', 'user.name', 'user.admin'])
    .where('api_token.token_hash', '=', hashApiToken(token))
    .where('api_token.revoked', '=', false)
    .where((eb) => eb.or([eb('api_token.expires', 'is', null), eb('api_token.expires', '>', now)]))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const user = { userId: row.user_id, username: row.username, name: row.name, admin: row.admin };
  return { id: row.id, lastUsed: row.last_used, user };
}

export async function noteTokenUse(database: Database, { id, lastUsed }: FoundToken, now: number): Promise<void> {
  if (lastUsed !== null && lastUsed >= now - useStep) return;
  await database.transact((db) => db.updateTable('api_token').set({ last_used: now }).where('id', '=', id).execute());
}

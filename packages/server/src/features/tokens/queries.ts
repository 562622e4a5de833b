import type { ApiToken } from '@signalbox/contract/tokens';
import type { Db } from '../../db/database.ts';

type TokenRow = {
  id: string;
  user_id: number;
  name: string;
  created: number;
  expires: number | null;
  last_used: number | null;
  revoked: boolean;
};

const toTime = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString());

export function toApiToken({ revoked, ...row }: TokenRow, now: number): ApiToken {
  return {
    ...row,
    created: new Date(row.created).toISOString(),
    expires: toTime(row.expires),
    last_used: toTime(row.last_used),
    expired: revoked || (row.expires !== null && row.expires <= now),
  };
}

export async function listTokens(db: Db, userId: number, now: number): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom('api_token')
    .select(['id', 'user_id', 'name', 'created', 'expires', 'last_used', 'revoked'])
    .where('user_id', '=', userId)
    .orderBy('created', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => toApiToken(row, now));
}

export async function insertToken(db: Db, row: TokenRow & { token_hash: string }): Promise<void> {
  await db.insertInto('api_token').values(row).execute();
}

/** By its id, or by the whole token. Returns what it is called; undefined where the user has no such token. */
export function revokeToken(
  db: Db,
  userId: number,
  { id, tokenHash }: { id: string; tokenHash: string },
): Promise<{ id: string; name: string } | undefined> {
  return db
    .updateTable('api_token')
    .set({ revoked: true })
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('id', '=', id), eb('token_hash', '=', tokenHash)]))
    .returning(['id', 'name'])
    .executeTakeFirst();
}

import type { ApiToken, ApiTokenInput, NewApiToken } from '@signalbox/contract/tokens';
import type { Actor } from '../../auth/actor.ts';
import { createApiToken, hashApiToken } from '../../auth/api-tokens.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { insertToken, listTokens, revokeToken, toApiToken } from './queries.ts';

export function listOwnTokens(db: Db, actor: Actor): Promise<ApiToken[]> {
  return listTokens(db, actor.userId, Date.now());
}

/** The answer is the only place where the token ever stands. */
export async function addToken(database: Database, actor: Actor, input: ApiTokenInput): Promise<NewApiToken> {
  const now = Date.now();
  const expires = readExpiry(input.expires, now);
  const { token, id } = createApiToken();
  const name = input.name ?? '';
  const row = { id, user_id: actor.userId, name, created: now, expires, last_used: null, revoked: false };
  await database.transact(async (db) => {
    await insertToken(db, { ...row, token_hash: hashApiToken(token) });
    await recordChange(db, actor, row, 'created');
  });
  return { ...toApiToken(row, now), id: token, token };
}

export async function endToken(database: Database, actor: Actor, text: string): Promise<void> {
  await database.transact(async (db) => {
    const token = await revokeToken(db, actor.userId, { id: text.toLowerCase(), tokenHash: hashApiToken(text) });
    if (token === undefined) throw new AppError('not_found', 'You have no such API token');
    await recordChange(db, actor, token, 'revoked');
  });
}

function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null;
  const expires = Date.parse(text);
  if (expires > now) return expires;
  throw new AppError('invalid', 'expires must lie in the future', [
    { path: 'expires', message: 'must lie in the future' },
  ]);
}

async function recordChange(
  db: Db,
  actor: Actor,
  token: { id: string; name: string },
  verb: 'created' | 'revoked',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: null,
    objectType: 'token',
    objectId: null,
    objectName: token.name === '' ? token.id : token.name,
    description: `API token ${token.id} ${verb}`,
  });
}

import type { Database, Db } from '../db/database.ts';
import type { SignedInUser } from './actor.ts';
import { createToken, hashToken } from './tokens.ts';

export type SessionLimits = { readonly idleMs: number; readonly absoluteMs: number };

/** How fine `last_active` is: a write for every request would be waste. */
const activityStep = 60_000;

export type NewSession = { userId: number; address: string; userAgent: string; verified: boolean };

/** Opens a session and returns the value of its cookie, which is stored nowhere. */
export async function openSession(db: Db, session: NewSession, now: number): Promise<string> {
  const token = createToken();
  await db
    .insertInto('session')
    .values({
      user_id: session.userId,
      token_hash: hashToken(token),
      created: now,
      last_active: now,
      address: session.address,
      user_agent: session.userAgent.slice(0, 255),
      verified: session.verified,
    })
    .execute();
  return token;
}

export type FoundSession = { id: number; verified: boolean; lastActive: number; user: SignedInUser };

/** The user of a session that is still good. Sessions that have run out stay until they are swept, and are refused. */
export async function findSession(
  db: Db,
  token: string,
  limits: SessionLimits,
  now: number,
): Promise<FoundSession | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['session.id', 'session.last_active', 'session.verified'])
    .select(['user.id as user_id', 'user.username', 'user.name', 'user.admin'])
    .where('session.token_hash', '=', hashToken(token))
    .where('session.last_active', '>', now - limits.idleMs)
    .where('session.created', '>', now - limits.absoluteMs)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const user = { userId: row.user_id, username: row.username, name: row.name, admin: row.admin };
  return { id: row.id, verified: row.verified, lastActive: row.last_active, user };
}

/** Keeps a session from running out. */
export async function noteActivity(database: Database, { id, lastActive }: FoundSession, now: number): Promise<void> {
  if (lastActive >= now - activityStep) return;
  await database.transact((db) => db.updateTable('session').set({ last_active: now }).where('id', '=', id).execute());
}

export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', hashToken(token)).execute();
}

/** Deletes what can never be used again. */
export async function sweepSessions(db: Db, limits: SessionLimits, now: number): Promise<void> {
  await db
    .deleteFrom('session')
    .where((eb) => eb.or([eb('last_active', '<=', now - limits.idleMs), eb('created', '<=', now - limits.absoluteMs)]))
    .execute();
}

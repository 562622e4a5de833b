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
  const user = { userId: row.user_id, username: row.username, name: row.name, admin: row.admin, sessionId: row.id };
  return { id: row.id, verified: row.verified, lastActive: row.last_active, user };
}

/** Keeps a session from running out. */
export async function noteActivity(database: Database, { id, lastActive }: FoundSession, now: number): Promise<void> {
  if (lastActive >= now - activityStep) return;
  await database.transact((db) => db.updateTable('session').set({ last_active: now }).where('id', '=', id).execute());
}

/** Returns whose it was; undefined where there is none any more. */
export async function endSession(db: Db, token: string): Promise<number | undefined> {
  const row = await db
    .deleteFrom('session')
    .where('token_hash', '=', hashToken(token))
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Ends all sessions of a user but one, where that is named. Returns how many. */
export async function endSessionsOf(db: Db, userId: number, exceptId: number | undefined): Promise<number> {
  const ended = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId ?? 0)
    .returning('id')
    .execute();
  return ended.length;
}

/** The second step of its sign-in was made. */
export async function verifySession(db: Db, id: number): Promise<void> {
  await db.updateTable('session').set({ verified: true }).where('id', '=', id).execute();
}

/** The user has a second step from now on: all of his sessions but one are asked for it. */
export async function unverifySessionsOf(db: Db, userId: number, exceptId: number | undefined): Promise<void> {
  await db
    .updateTable('session')
    .set({ verified: false })
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId ?? 0)
    .execute();
}

/** The user has no second step any more: nothing could verify what is open, so it begins anew. */
export async function endUnverifiedSessionsOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', userId).where('verified', '=', false).execute();
}

/** Deletes what can never be used again. */
export async function sweepSessions(db: Db, limits: SessionLimits, now: number): Promise<void> {
  await db
    .deleteFrom('session')
    .where((eb) => eb.or([eb('last_active', '<=', now - limits.idleMs), eb('created', '<=', now - limits.absoluteMs)]))
    .execute();
}

import type { Session } from '@signalbox/contract/sessions';
import type { Actor } from '../../auth/actor.ts';
import { endSessionsOf, type SessionLimits } from '../../auth/sessions.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { requireUser } from '../users/users.ts';
import { deleteSession, listSessions } from './queries.ts';

export async function listSessionsOf(db: Db, actor: Actor, userId: number, limits: SessionLimits): Promise<Session[]> {
  await requireUser(db, userId);
  const sessions = await listSessions(db, userId, limits, Date.now());
  return sessions.map((session) => ({ ...session, current: session.id === actor.sessionId }));
}

export async function endOneSession(database: Database, actor: Actor, userId: number, id: number): Promise<void> {
  await database.transact(async (db) => {
    const user = await requireUser(db, userId);
    if (!(await deleteSession(db, userId, id))) throw new AppError('not_found', 'There is no such session');
    await recordEnd(db, actor, user, 'A session was ended');
  });
}

/** Whoever asks stays signed in. */
export async function endAllSessions(database: Database, actor: Actor, userId: number): Promise<void> {
  await database.transact(async (db) => {
    const user = await requireUser(db, userId);
    const count = await endSessionsOf(db, userId, actor.sessionId);
    if (count > 0)
      await recordEnd(db, actor, user, count === 1 ? 'A session was ended' : `${count} sessions were ended`);
  });
}

async function recordEnd(
  db: Db,
  actor: Actor,
  user: { id: number; username: string },
  description: string,
): Promise<void> {
  const entry = { projectId: null, objectType: 'user', objectId: user.id, objectName: user.username };
  await recordEvent(db, actor, { ...entry, description: `${description}: ${user.username}` });
}

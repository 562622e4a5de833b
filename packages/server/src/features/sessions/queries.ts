import type { Session } from '@signalbox/contract/sessions';
import type { SessionLimits } from '../../auth/sessions.ts';
import type { Db } from '../../db/database.ts';

/** Without those that have run out and are not swept yet. */
export async function listSessions(
  db: Db,
  userId: number,
  limits: SessionLimits,
  now: number,
): Promise<Omit<Session, 'current'>[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'created', 'last_active', 'address', 'user_agent', 'verified'])
    .where('user_id', '=', userId)
    .where('last_active', '>', now - limits.idleMs)
    .where('created', '>', now - limits.absoluteMs)
    .orderBy('last_active', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    ...row,
    created: new Date(row.created).toISOString(),
    last_active: new Date(row.last_active).toISOString(),
  }));
}

export async function deleteSession(db: Db, userId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('session')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

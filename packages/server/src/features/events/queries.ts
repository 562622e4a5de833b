import type { Event } from '@signalbox/contract/events';
import type { Db } from '../../db/database.ts';

export async function listProjectEvents(db: Db, projectId: number, limit: number): Promise<Event[]> {
  const rows = await db
    .selectFrom('event')
    .leftJoin('user', 'user.id', 'event.user_id')
    .leftJoin('project', 'project.id', 'event.project_id')
    .select(['event.user_id', 'event.project_id', 'event.integration_id', 'event.object_id', 'event.object_type'])
    .select(['event.object_name', 'event.description', 'event.created'])
    .select(['user.username', 'project.name as project_name'])
    .where('event.project_id', '=', projectId)
    .orderBy('event.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, created: new Date(row.created).toISOString() }));
}

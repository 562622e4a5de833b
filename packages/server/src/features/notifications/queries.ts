import type { Notification } from '@signalbox/contract/notifications';
import * as z from 'zod/mini';
import { AlertFacts } from '../../db/alerts.ts';
import type { Db } from '../../db/database.ts';
import { cutPage, type Page, type PageRequest } from '../../paging.ts';

function selectNotifications(db: Db) {
  return db
    .selectFrom('notification')
    .innerJoin('project', 'project.id', 'notification.project_id')
    .leftJoin('user', 'user.id', 'notification.user_id')
    .select(['notification.id', 'notification.project_id', 'notification.task_id', 'notification.kind'])
    .select(['notification.channel', 'notification.target', 'notification.payload', 'notification.created'])
    .select(['notification.next_attempt', 'notification.attempts', 'notification.sent', 'notification.error'])
    .select(['user.username', 'project.name as project_name'])
    .orderBy('notification.id', 'desc');
}

type Row = Awaited<ReturnType<ReturnType<typeof selectNotifications>['execute']>>[number];

function toNotification({ payload, username, created, next_attempt, sent, ...row }: Row): Notification {
  const { task } = z.parse(AlertFacts, JSON.parse(payload));
  return {
    ...row,
    template_name: task?.template.name ?? '',
    // Addresses of members are not told to each other.
    target: username ?? row.target,
    state: sent !== null ? 'sent' : next_attempt === null ? 'failed' : 'pending',
    created: new Date(created).toISOString(),
    next_attempt: next_attempt === null ? null : new Date(next_attempt).toISOString(),
    sent: sent === null ? null : new Date(sent).toISOString(),
  };
}

export async function listProjectNotifications(
  db: Db,
  projectId: number,
  { limit, before }: PageRequest,
): Promise<Page<Notification>> {
  let query = selectNotifications(db).where('notification.project_id', '=', projectId);
  if (before !== undefined) query = query.where('notification.id', '<', before);
  const rows = await query.limit(limit + 1).execute();
  return cutPage(rows.map(toNotification), limit);
}

export async function listAllNotifications(db: Db, { limit, before }: PageRequest): Promise<Page<Notification>> {
  let query = selectNotifications(db).where('project.deleted', 'is', null);
  if (before !== undefined) query = query.where('notification.id', '<', before);
  const rows = await query.limit(limit + 1).execute();
  return cutPage(rows.map(toNotification), limit);
}

export async function readNotifications(db: Db, projectId: number, ids: readonly number[]): Promise<Notification[]> {
  if (ids.length === 0) return [];
  const rows = await selectNotifications(db)
    .where('notification.project_id', '=', projectId)
    .where('notification.id', 'in', ids)
    .execute();
  return rows.map(toNotification).toReversed();
}

/** Tests that were asked for in the project since then. */
export async function countTests(db: Db, projectId: number, since: number): Promise<number> {
  const row = await db
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('kind', '=', 'test')
    .where('created', '>', since)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function readTestFacts(
  db: Db,
  projectId: number,
  userId: number,
): Promise<{ project: string; author: string; email: string } | undefined> {
  return await db
    .selectFrom('project')
    .innerJoin('user', (join) => join.on('user.id', '=', userId))
    .select(['project.name as project', 'user.name as author', 'user.email'])
    .where('project.id', '=', projectId)
    .executeTakeFirst();
}

import type { Event } from '@signalbox/contract/events';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { cutPage, type Page, type PageRequest } from '../../paging.ts';

/** Whose events: of the projects that a user is a member of, and for administrators those of no project too. */
export type Reader = { readonly userId: number; readonly admin: boolean };

/** With the address of whoever did it, which not everybody is told. */
type AddressedEvent = Event & { address: string };

function selectEvents(db: Db) {
  return db
    .selectFrom('event')
    .leftJoin('user', 'user.id', 'event.user_id')
    .leftJoin('project', 'project.id', 'event.project_id')
    .select(['event.id', 'event.user_id', 'event.project_id', 'event.integration_id'])
    .select(['event.object_id', 'event.object_type', 'event.object_name', 'event.description', 'event.created'])
    .select(['event.address', 'user.username', 'project.name as project_name'])
    .orderBy('event.id', 'desc');
}

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number];

const toEvent = (row: EventRow): AddressedEvent => ({ ...row, created: new Date(row.created).toISOString() });

export async function listProjectEvents(
  db: Db,
  projectId: number,
  { limit, before }: PageRequest,
): Promise<Page<AddressedEvent>> {
  let query = selectEvents(db).where('event.project_id', '=', projectId);
  if (before !== undefined) query = query.where('event.id', '<', before);
  const rows = await query.limit(limit + 1).execute();
  return cutPage(rows.map(toEvent), limit);
}

/**
 * The newest ids of each project are taken from its index, and the newest of these are looked up. So a user of one quiet
 * project does not read through what happens in all others.
 */
export async function listOwnEvents(
  db: Db,
  reader: Reader,
  { limit, before }: PageRequest,
): Promise<Page<AddressedEvent>> {
  const most = limit + 1;
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const ofNone = sql`
    union all select id from (
      select id from event where project_id is null and id < ${end} order by id desc limit ${most}) as installation`;
  const newest = sql<number>`(
    select id from (
      select event.id from project_user join event on event.project_id = project_user.project_id
        and event.id < ${end}
        and event.id >= coalesce((
          select id from event as last where last.project_id = project_user.project_id and last.id < ${end}
          order by id desc limit 1 offset ${limit}), 0)
      where project_user.user_id = ${reader.userId}
      ${reader.admin ? ofNone : sql``}
    ) as own order by id desc limit ${most})`;
  const rows = await selectEvents(db).where('event.id', 'in', newest).execute();
  return cutPage(rows.map(toEvent), limit);
}

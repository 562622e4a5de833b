import type { Event } from '@signalbox/contract/events';
import type { Actor } from '../../auth/actor.ts';
import type { Db } from '../../db/database.ts';
import type { Page, PageRequest } from '../../paging.ts';
import { listOwnEvents, listProjectEvents } from './queries.ts';

/** Events of a project, newest first. */
export async function readProjectEvents(
  db: Db,
  actor: Actor,
  projectId: number,
  request: PageRequest,
): Promise<Page<Event>> {
  return hideAddresses(actor, await listProjectEvents(db, projectId, request));
}

/** Events of the actor's projects, newest first. */
export async function readOwnEvents(db: Db, actor: Actor, request: PageRequest): Promise<Page<Event>> {
  return hideAddresses(actor, await listOwnEvents(db, actor, request));
}

/** From where a colleague works is for administrators to know. */
function hideAddresses({ admin }: Actor, page: Page<Event>): Page<Event> {
  if (admin) return page;
  return { ...page, items: page.items.map(({ address: _, ...event }) => event) };
}

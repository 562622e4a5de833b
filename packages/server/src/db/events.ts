import type { Db } from './database.ts';

/** Who did it: a person at an address, or nobody (a schedule, a webhook, the server itself). */
export type EventActor = { readonly userId: number | null; readonly address: string };
export const noActor: EventActor = { userId: null, address: '' };

export type EventEntry = {
  projectId: number | null;
  objectType: string;
  objectId: number | null;
  objectName: string;
  /** A sentence for a person; never holds a secret. */
  description: string;
  integrationId?: number | null;
};

/** Writes one line of the activity list, in the transaction of the change that it tells of. */
export async function recordEvent(db: Db, actor: EventActor, entry: EventEntry): Promise<void> {
  await recordEvents(db, [{ ...entry, actor, created: Date.now() }]);
}

/** Writes several lines at once. */
export async function recordEvents(
  db: Db,
  entries: readonly (EventEntry & { actor: EventActor; created: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto('event')
    .values(
      entries.map((entry) => ({
        created: entry.created,
        project_id: entry.projectId,
        user_id: entry.actor.userId,
        integration_id: entry.integrationId ?? null,
        object_type: entry.objectType,
        object_id: entry.objectId,
        object_name: entry.objectName,
        description: entry.description,
        address: entry.actor.address,
      })),
    )
    .execute();
}

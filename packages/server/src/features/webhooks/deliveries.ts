import { type Delivery, type DeliveryDetail, maxDeliveries } from '@signalbox/contract/deliveries';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { readLimit } from '../../list-limit.ts';
import { cutPage, type Page } from '../../paging.ts';
import { requireIntegration } from '../integrations/integrations.ts';
import { readContent } from './call.ts';
import { findCandidate, findDelivery, listDeliveries } from './queries.ts';
import { startFromCall, type WebhookEngine } from './start-task.ts';
import { openSecret } from './webhooks.ts';

export type DeliveryParent = { readonly projectId: number; readonly integrationId: number };
export type DeliveryPlace = DeliveryParent & { readonly id: number };

/** Newest first. */
export async function listOwnDeliveries(
  db: Db,
  parent: DeliveryParent,
  query: { limit?: string | undefined; before?: number | undefined },
): Promise<Page<Delivery>> {
  await requireIntegration(db, parent.projectId, parent.integrationId);
  const limit = readLimit(query.limit, maxDeliveries);
  return cutPage(await listDeliveries(db, parent, { limit: limit + 1, before: query.before }), limit);
}

/** @throws AppError not_found, also for a delivery to another integration */
export async function requireDelivery(db: Db, place: DeliveryPlace): Promise<DeliveryDetail> {
  const { detail } = await requireStored(db, place);
  return detail;
}

async function requireStored(db: Db, place: DeliveryPlace) {
  const stored = await findDelivery(db, place, place.id);
  if (stored === undefined) throw new AppError('not_found', 'There is no such delivery to this integration');
  return stored;
}

/**
 * Goes through a stored call once more, with the integration as it is now. Who sent it was proved when it came; it may
 * start a task a second time, because somebody asked for just that.
 */
export async function replayDelivery(
  database: Database,
  engine: WebhookEngine,
  actor: Actor,
  place: DeliveryPlace,
  kept: number,
): Promise<Delivery> {
  if (engine.isEnding()) throw new AppError('unavailable', 'The server is shutting down');
  const { detail, body } = await requireStored(database.read, place);
  const { authentication, body: stored, reached_by: reachedBy } = detail.verdict;
  if (!authentication.accepted) throw new AppError('conflict', 'It was refused: nobody knows who sent it');
  if (stored.kept !== 'all') throw new AppError('conflict', 'Its body is not stored in full, so it cannot be replayed');
  const candidate = await findCandidate(database.read, place.projectId, place.integrationId);
  if (candidate === undefined) throw gone();
  const call = { method: detail.method, headers: detail.headers, body };
  const delivery = await startFromCall(
    database,
    engine,
    { candidate, secret: openSecret(database.keyring, candidate) },
    {
      call,
      content: readContent(call),
      reachedBy,
      proof: { accepted: true, text: 'The sender was proved when it came' },
      claim: null,
      replay: { deliveryId: place.id, actor },
    },
    kept,
  );
  if (delivery === undefined) throw gone();
  return delivery;
}

const gone = (): AppError => new AppError('not_found', 'There is no such integration in this project');

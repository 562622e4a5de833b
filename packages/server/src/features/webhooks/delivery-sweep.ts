import { believeTime } from '../../db/believed-time.ts';
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../logger.ts';
import { deleteDeliveriesBefore } from './queries.ts';

const everyMs = 3_600_000;
const dayMs = 86_400_000;
/** In one transaction: others wait for it. */
const most = 500;

/** Deletes what is older, in portions. */
export async function sweepDeliveries(database: Database, days: number, now: number): Promise<void> {
  const before = now - days * dayMs;
  while ((await database.transact((db) => deleteDeliveriesBefore(db, before, most))) === most);
}

/** Does it now and every hour. Returns what ends it. */
export function startDeliverySweep(database: Database, days: number, log: Logger): () => void {
  const sweep = () => {
    believeTime(database, log, Date.now())
      .then((now) => sweepDeliveries(database, days, now))
      .catch((error: unknown) => log.warn('Old deliveries of webhooks could not be deleted', { cause: error }));
  };
  sweep();
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

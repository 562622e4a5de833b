import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { type SessionLimits, sweepSessions } from './sessions.ts';

const everyMs = 3_600_000;

/** Deletes sessions that have run out, now and every hour. Returns what ends it. */
export function startSessionSweep(database: Database, limits: SessionLimits, log: Logger): () => void {
  const sweep = () => {
    database
      .transact((db) => sweepSessions(db, limits, Date.now()))
      .catch((error: unknown) => log.warn('Old sessions could not be deleted', { cause: error }));
  };
  sweep();
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

import * as z from 'zod/mini';
import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';

const dayMs = 86_400_000;
/** A clock that is further ahead than this is not believed at once, and then is, after as long. */
const leapMs = dayMs;
const key = 'believed_time';

/** Epoch milliseconds: when the clock was last right, and since when it has said something else. */
const State = z.object({ time: z.number(), doubtedSince: z.nullable(z.number()) });
type State = z.infer<typeof State>;

/**
 * The time by which something may be deleted for its age. A clock that leaps ahead by years would take all of it: what is gone
 * is gone, also when the clock is right again. So a leap of more than a day counts only after a day in which nobody has set it
 * back; until then things are as old as they were before. A server that was switched off for longer waits as well.
 */
export async function believeTime(database: Database, log: Logger, now: number): Promise<number> {
  const { before, after } = await database.transact(async (db) => {
    const row = await db.selectFrom('installation').select('value').where('key', '=', key).executeTakeFirst();
    const stored = row === undefined ? undefined : z.parse(State, JSON.parse(row.value));
    const next = judge(stored, now);
    const value = JSON.stringify(next);
    await db
      .insertInto('installation')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
    return { before: stored, after: next };
  });
  if (after.doubtedSince !== null && before?.doubtedSince == null) {
    const days = Math.round((now - after.time) / dayMs);
    log.warn('The clock is days ahead of when it was last looked at: for a day nothing more is deleted for its age', {
      days,
    });
  }
  return after.time;
}

function judge(stored: State | undefined, now: number): State {
  if (stored === undefined || now - stored.time <= leapMs) return { time: now, doubtedSince: null };
  const { time, doubtedSince } = stored;
  // Set back, and still ahead: the day begins anew.
  if (doubtedSince === null || now < doubtedSince) return { time, doubtedSince: now };
  return now - doubtedSince < leapMs ? stored : { time: now, doubtedSince: null };
}

import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { listFires } from './next-fire.ts';
import type { ScheduleRow } from './schedule-problem.ts';

/** Ticks after a clock was set back are looked at in portions of so many. */
const portion = 50;
/** Calculated in one turn of the event loop. */
const atOnce = 20;

/**
 * Corrects next times that are later than they should be, because a clock was ahead when they were set: a schedule would be
 * silent until then. Ticks that were looked after while the clock was ahead do not come a second time.
 */
export async function realignSchedules(database: Database, log: Logger, now: number): Promise<void> {
  const rows = await database.read
    .selectFrom('schedule')
    .selectAll()
    .where('active', '=', true)
    .where('next_fire', '>', now)
    .orderBy('id')
    .execute();
  for (const [at, row] of rows.entries()) {
    if (at % atOnce === atOnce - 1) await new Promise(setImmediate);
    try {
      await realign(database, row, now);
    } catch (error) {
      log.error('The next time of a schedule could not be checked', { schedule: row.id, cause: error });
    }
  }
}

async function realign(database: Database, row: ScheduleRow, now: number): Promise<void> {
  const next = row.next_fire ?? now;
  const right = await findRight(database, row, now);
  const isLooked = (row.last_fire ?? 0) > now;
  if (right >= next && !isLooked) return;
  await database.transact((db) =>
    db
      .updateTable('schedule')
      .set({ next_fire: Math.min(right, next), ...(isLooked ? { last_fire: null } : {}) })
      .where('id', '=', row.id)
      .where('next_fire', '=', next)
      .where('active', '=', true)
      .execute(),
  );
}

/** The first tick from now on that was not looked after; the stored one where all before it were. */
async function findRight(database: Database, row: ScheduleRow, now: number): Promise<number> {
  const next = row.next_fire ?? now;
  const [first] = listFires(row.cron_format, row.timezone, now, 1);
  if (first === undefined || first >= next) return next;
  const ticks = await database.read
    .selectFrom('schedule_tick')
    .select('nominal')
    .where('schedule_id', '=', row.id)
    .where('nominal', '>', now)
    .execute();
  const done = new Set(ticks.map(({ nominal }) => nominal));
  for (let after = now; after < next; ) {
    const times = listFires(row.cron_format, row.timezone, after, portion);
    const free = times.find((time) => !done.has(time));
    if (free !== undefined) return Math.min(free, next);
    after = times.at(-1) ?? next;
  }
  return next;
}

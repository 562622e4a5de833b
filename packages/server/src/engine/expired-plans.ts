import type { Database } from '../db/database.ts';
import type { TaskRow } from './task-record.ts';
import { isBusy } from './task-sets.ts';
import { readForChange, takeSteps } from './task-steps.ts';

/** Of one sweep; the next one takes the others. */
const mostAtOnce = 200;

/**
 * Stops the tasks whose plan nobody has decided about in time: what was true when it was made may not be true any more.
 *
 * @returns the tasks that changed, to be announced
 */
export async function expirePlans(database: Database, now: number): Promise<TaskRow[]> {
  const rows = await database.read
    .selectFrom('task')
    .select('id')
    // By the index of what is busy; the status alone would be looked for in all tasks that ever were.
    .where(isBusy)
    .where('status', '=', 'waiting_confirmation')
    .where('expires', '<=', now)
    .limit(mostAtOnce)
    .execute();
  if (rows.length === 0) return [];
  return await database.transact(async (db) => {
    const tasks = await readForChange(
      db,
      rows.map((row) => row.id),
    );
    const late = [...tasks.values()].filter(
      (task) => task.status === 'waiting_confirmation' && task.expires !== null && task.expires <= now,
    );
    const set = { stop_requested: 'soft', expires: null, reason: 'nobody confirmed its plan in time' } as const;
    return await takeSteps(
      db,
      database.keyring,
      late.map((task) => ({ task, event: 'stop', set })),
      now,
    );
  });
}

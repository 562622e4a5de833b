import type { LogDatabase } from '../db/database.ts';
import { deleteSomeOfLog, findTail, lockLog, sumBytes } from './log-store.ts';

/** Why lines may be missing at the end of a log whose runner is gone. */
export const lossReason = 'The runner was lost: what was written from here on did not arrive';

/** Deletes what is stored of a log, so that it can begin anew. */
export async function deleteLog(logs: LogDatabase, taskId: number): Promise<void> {
  while (!(await deleteSomeOfLog(logs, taskId)));
}

/**
 * Ends a log whose runner will not: with what is stored, and where lines may be missing with a record that says so. A log
 * that is sealed already stays as it is.
 */
export async function closeLog(logs: LogDatabase, taskId: number, loss: string | null, now: number): Promise<void> {
  await logs.transact(
    async (db) => {
      await lockLog(logs, db, taskId);
      const { next, crc, sealed } = await findTail(db, taskId);
      if (sealed) return;
      if (loss !== null) {
        await db
          .insertInto('log_chunk')
          .values({
            task_id: taskId,
            first_line: next,
            // How many lines are missing is not known; the record stands for all of them.
            line_count: 1,
            byte_count: 0,
            crc,
            time: now,
            gap: loss,
            data: new Uint8Array(),
          })
          .execute();
      }
      const lines = loss === null ? next - 1 : next;
      await db
        .insertInto('log_seal')
        .values({ task_id: taskId, lines, bytes: await sumBytes(db, taskId), crc, sealed: now })
        .execute();
    },
    { durable: true },
  );
}

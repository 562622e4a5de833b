import { isFinal } from '@signalbox/contract/task-state';
import type { Db } from '../db/database.ts';
import type { TaskCountTable } from '../db/tables.ts';
import type { TaskRow } from './task-record.ts';

const quarterOfAnHour = 900_000;

/** Adds ended tasks to the counts that statistics are read from. */
export async function countEnds(db: Db, ended: readonly TaskRow[]): Promise<void> {
  const counts = new Map<string, TaskCountTable>();
  for (const task of ended) {
    if (!isFinal(task.status)) continue;
    const row: TaskCountTable = {
      project_id: task.project_id,
      template_id: task.template_id,
      user_id: task.user_id ?? 0,
      bucket: task.created - (task.created % quarterOfAnHour),
      status: task.status,
      count: 1,
    };
    const key = `${row.template_id} ${row.user_id} ${row.bucket} ${row.status}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, row);
    else known.count += 1;
  }
  if (counts.size === 0) return;
  await db
    .insertInto('task_count')
    // In one order everywhere, so that two servers cannot wait for each other's rows.
    .values([...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row))
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'template_id', 'user_id', 'bucket', 'status'])
        .doUpdateSet((eb) => ({ count: eb('task_count.count', '+', eb.ref('excluded.count')) })),
    )
    .execute();
}

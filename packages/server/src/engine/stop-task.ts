import { isFinal } from '@signalbox/contract/task-state';
import type { Database, Db } from '../db/database.ts';
import { type EventActor, recordEvent } from '../db/events.ts';
import { AppError } from '../errors.ts';
import { closeLog, lossReason } from './log-end.ts';
import { explainDoubt } from './lost-tasks.ts';
import { wasStarted } from './reconcile-holds.ts';
import { readTemplateName, type TaskRow } from './task-record.ts';
import { readForChange, type Step, takeSteps } from './task-steps.ts';

export type StopOrder = {
  readonly projectId: number;
  readonly taskId: number;
  /** Kill at once, whatever that costs. */
  readonly force: boolean;
  readonly actor: EventActor;
  readonly now: number;
};

/**
 * Stores that a task shall stop; its runner is told by the stored state, now or when it is heard of again. What waits
 * stops at once, because nothing runs.
 *
 * @returns the tasks that changed, to be announced
 * @throws AppError when the task is not there, or final
 */
export async function stopTask(database: Database, order: StopOrder): Promise<TaskRow[]> {
  const changed = await database.transact(async (db) => {
    const task = (await readForChange(db, [order.taskId])).get(order.taskId);
    if (task === undefined || task.project_id !== order.projectId) {
      throw new AppError('not_found', 'There is no such task in this project');
    }
    if (isFinal(task.status)) throw new AppError('task_final', `The task has ended already: ${task.status}`);
    await recordStop(db, task, order);
    return await takeSteps(db, database.keyring, listSteps(task, order.force), order.now);
  });
  // Nobody else ends the log of what ended here.
  for (const task of changed) {
    if (isFinal(task.status)) await closeLog(database.logs, task.id, wasStarted(task) ? lossReason : null, order.now);
  }
  return changed;
}

function listSteps(task: TaskRow, force: boolean): Step[] {
  const stop_requested = force || task.stop_requested === 'force' ? 'force' : 'soft';
  const stop: Step = { task, event: 'stop', set: { stop_requested } };
  if (!force || task.unreachable_since === null || task.status === 'waiting') return [stop];
  const reason = explainDoubt('stopped while its runner was', task.unreachable_since);
  return [stop, { task: { ...task, status: 'stopping' }, event: 'finish_stopped', set: { reason } }];
}

async function recordStop(db: Db, task: TaskRow, { actor, force }: StopOrder): Promise<void> {
  await recordEvent(db, actor, {
    projectId: task.project_id,
    objectType: 'task',
    objectId: task.id,
    objectName: await readTemplateName(db, task),
    description: `Task ID ${task.id}: ${force ? 'forced stop' : 'stop'} requested`,
    integrationId: task.integration_id,
  });
}

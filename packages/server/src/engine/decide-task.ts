import { isFinal } from '@signalbox/contract/task-state';
import type { Database } from '../db/database.ts';
import { type EventActor, recordEvent } from '../db/events.ts';
import { AppError } from '../errors.ts';
import { readTemplateName, type TaskRow } from './task-record.ts';
import { readForChange, takeSteps } from './task-steps.ts';

export type Decision = 'confirm' | 'reject';

export type DecisionOrder = {
  readonly projectId: number;
  readonly taskId: number;
  readonly decision: Decision;
  readonly actor: EventActor;
  readonly now: number;
};

/**
 * Stores what a person has decided about a task that waits for him; its runner is told by the stored state, now or when it
 * is heard of again. The first decision counts: a second one finds a task that does not wait any more.
 *
 * @returns the tasks that changed, to be announced
 * @throws AppError when the task is not there, or does not wait for a decision
 */
export async function decideTask(database: Database, order: DecisionOrder): Promise<TaskRow[]> {
  const { projectId, taskId, decision, actor, now } = order;
  return await database.transact(async (db) => {
    const task = (await readForChange(db, [taskId])).get(taskId);
    if (task === undefined || task.project_id !== projectId) {
      throw new AppError('not_found', 'There is no such task in this project');
    }
    if (isFinal(task.status)) throw new AppError('task_final', `The task has ended already: ${task.status}`);
    if (task.status !== 'waiting_confirmation') {
      throw new AppError('conflict', `The task does not wait for a confirmation: it is ${task.status}`);
    }
    // The sweep that stops it may be seconds late.
    if (decision === 'confirm' && task.expires !== null && task.expires <= now) {
      throw new AppError('conflict', 'The plan has expired: nobody confirmed it in time');
    }
    await recordEvent(db, actor, {
      projectId,
      objectType: 'task',
      objectId: taskId,
      objectName: await readTemplateName(db, task),
      description: `Task ID ${taskId} ${decision === 'confirm' ? 'confirmed' : 'rejected'}`,
      integrationId: task.integration_id,
    });
    return await takeSteps(db, database.keyring, [{ task, event: decision, set: { expires: null } }], now);
  });
}

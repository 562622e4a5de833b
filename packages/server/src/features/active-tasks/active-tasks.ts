import type { Actor } from '../../auth/actor.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { stopByPerson, type TaskEngine } from '../tasks/tasks.ts';
import { findProjectOfTask } from './queries.ts';

/** @throws AppError when there is no such task, or it has ended */
export async function stopAnywhere(
  database: Database,
  engine: TaskEngine,
  actor: Actor,
  taskId: number,
): Promise<void> {
  const projectId = await findProjectOfTask(database.read, taskId);
  if (projectId === undefined) throw new AppError('not_found', 'There is no such task');
  await stopByPerson(database, engine, actor, { project_id: projectId, task_id: taskId }, false);
}

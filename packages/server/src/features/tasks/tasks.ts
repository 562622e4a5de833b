import { isFinal, type TaskStatus } from '@signalbox/contract/task-state';
import type { Launch, LogRange, LogSearch, Task, TaskItem } from '@signalbox/contract/tasks';
import { maxLogRange } from '@signalbox/contract/tasks';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { findLogState, readRange } from '../../db/log-lines.ts';
import { SearchReplaced } from '../../db/reader.ts';
import { createTask } from '../../engine/create-task.ts';
import { type Decision, decideTask } from '../../engine/decide-task.ts';
import type { Engine } from '../../engine/start.ts';
import { stopTask } from '../../engine/stop-task.ts';
import { toTask } from '../../engine/task-record.ts';
import { readForChange } from '../../engine/task-steps.ts';
import { AppError } from '../../errors.ts';
import type { Page } from '../../paging.ts';
import { deleteTask, findTask, findTaskStatus, listTasks, listTasksByIds, type TaskFilter } from './queries.ts';

/** Where a task is: its project, then its own id. */
export type TaskPlace = { readonly project_id: number; readonly task_id: number };

/** What launches and stops need of the engine. */
export type TaskEngine = Pick<Engine, 'news' | 'now' | 'isEnding'>;

/** Launches a task for a person, and tells whoever must know. */
export async function launchTask(
  database: Database,
  engine: TaskEngine,
  actor: Actor,
  projectId: number,
  launch: Launch,
): Promise<Task> {
  // Nobody would start it before the server is back.
  if (engine.isEnding()) throw new AppError('unavailable', 'The server is shutting down');
  if (launch.project_id !== undefined && launch.project_id !== projectId) {
    const message = 'is not the one of the address';
    throw new AppError('invalid', `project_id ${message}`, [{ path: 'project_id', message }]);
  }
  const origin = { kind: 'person', actor, permissions: actor.permissions } as const;
  const row = await database.transact((db) =>
    createTask(db, database.keyring, { projectId, launch, origin, now: engine.now() }),
  );
  engine.news.publish([row]);
  return toTask(row);
}

export async function stopByPerson(
  database: Database,
  engine: TaskEngine,
  actor: Actor,
  place: TaskPlace,
  force: boolean,
): Promise<void> {
  const order = { projectId: place.project_id, taskId: place.task_id, force, actor, now: engine.now() };
  engine.news.publish(await stopTask(database, order));
}

/** Confirms or rejects what a task has planned, and tells its runner. */
export async function decideByPerson(
  database: Database,
  engine: TaskEngine,
  actor: Actor,
  place: TaskPlace,
  decision: Decision,
): Promise<void> {
  const order = { projectId: place.project_id, taskId: place.task_id, decision, actor, now: engine.now() };
  engine.news.publish(await decideTask(database, order));
}

/**
 * Deletes a task that has ended. Its log goes with it, later and by portions; the statistics go on counting it.
 * @throws AppError for whoever is no administrator, and while something of the task may still run
 */
export async function removeTask(database: Database, actor: Actor, place: TaskPlace): Promise<void> {
  const { project_id: projectId, task_id: taskId } = place;
  await requireTaskPlace(database.read, place);
  if (!actor.admin) throw new AppError('forbidden', 'Only administrators may delete tasks');
  await database.transact(async (db) => {
    const task = (await readForChange(db, [taskId])).get(taskId);
    if (task === undefined || task.project_id !== projectId) throw noTask();
    if (!isFinal(task.status)) throw new AppError('conflict', `The task has not ended: it is ${task.status}`);
    const template = await deleteTask(db, task);
    await recordEvent(db, actor, {
      projectId,
      objectType: 'task',
      objectId: taskId,
      objectName: template,
      description: `Task ID ${taskId} deleted`,
    });
  });
}

/** For the page of a template; newest first. */
export function listTemplateTasks(
  db: Db,
  projectId: number,
  templateId: number,
  filter: Omit<TaskFilter, 'templateId'>,
): Promise<Page<TaskItem>> {
  return listTasks(db, projectId, { ...filter, templateId });
}

/** For lists that show a task beside something else; in no order. */
export function listTaskItems(db: Db, projectId: number, ids: readonly number[]): Promise<TaskItem[]> {
  return listTasksByIds(db, projectId, ids);
}

/** @throws AppError not_found, also for a task of another project */
export async function requireTask(db: Db, { project_id, task_id }: TaskPlace): Promise<TaskItem> {
  const task = await findTask(db, project_id, task_id);
  if (task === undefined) throw noTask();
  return task;
}

/** @throws AppError not_found */
export async function requireTaskPlace(db: Db, { project_id, task_id }: TaskPlace): Promise<TaskStatus> {
  const status = await findTaskStatus(db, project_id, task_id);
  if (status === undefined) throw noTask();
  return status;
}

const noTask = (): AppError => new AppError('not_found', 'There is no such task in this project');

/** Lines of the log. What is past the end is an empty range, not an error: the log may still grow. */
export async function readLogRange(
  database: Database,
  place: TaskPlace,
  query: { from?: string | undefined; count?: string | undefined },
): Promise<LogRange> {
  const status = await requireTaskPlace(database.read, place);
  const first = readNumber(query.from, 'from', 1);
  const count = readNumber(query.count, 'count', maxLogRange);
  if (count > maxLogRange) {
    throw new AppError('invalid', `count: at most ${maxLogRange} lines in one answer`);
  }
  const lines = await readRange(database.logs.read, place.task_id, first, count);
  // After the lines: so that "there is no more" is never said of lines that came in between.
  const { lines: total, sealed } = await findLogState(database.logs.read, place.task_id);
  const last = lines.at(-1);
  const next = last === undefined ? first : last.line + (last.gap ?? 1);
  // A log is sealed before its task becomes final, except where its runner was lost in that very moment.
  return { first, next, total, sealed: sealed || isFinal(status), lines };
}

/** One search at a time for each person: the console searches while somebody types. */
export async function searchTaskLog(
  database: Database,
  actor: Actor,
  place: TaskPlace,
  query: { q: string; after?: string | undefined },
): Promise<LogSearch> {
  await requireTaskPlace(database.read, place);
  const after = query.after === '0' ? 0 : readNumber(query.after, 'after', 0);
  try {
    return await database.reader.searchLog(actor.userId, { taskId: place.task_id, text: query.q, after });
  } catch (error) {
    if (!(error instanceof SearchReplaced)) throw error;
    throw new AppError('conflict', 'Another search of yours took its place');
  }
}

function readNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new AppError('invalid', `${name}: must be a positive whole number`);
  return Number(text);
}

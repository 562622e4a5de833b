import { type LogSearch, taskRoutes } from '@signalbox/contract/tasks';
import { buildUrl, call } from '../../lib/api.ts';
import type { LiveSocket } from '../../lib/socket.ts';
import type { ErrorPorts } from './first-error.ts';
import type { LogPorts } from './log-source.ts';

export type TaskRef = { projectId: number; taskId: number };

export function createLogPorts({ projectId, taskId }: TaskRef, socket: LiveSocket): LogPorts {
  const params = { project_id: projectId, task_id: taskId };
  return {
    fetchRange: (from, count, signal) =>
      call(taskRoutes.log, { params, query: { from: String(from), count: String(count) }, signal }),
    follow: (from, follower) => socket.follow(taskId, from, follower),
  };
}

/** Lines of the stored log that hold a text, behind a line. */
export function searchLog(task: TaskRef, query: string, after: number, signal: AbortSignal): Promise<LogSearch> {
  const params = { project_id: task.projectId, task_id: task.taskId };
  return call(taskRoutes.searchLog, { params, query: { q: query, after: String(after) }, signal });
}

export function createErrorPorts(task: TaskRef, signal: AbortSignal): ErrorPorts {
  const params = { project_id: task.projectId, task_id: task.taskId };
  return {
    search: (query) => searchLog(task, query, 0, signal),
    fetchRange: (from, count) =>
      call(taskRoutes.log, { params, query: { from: String(from), count: String(count) }, signal }),
  };
}

export function buildRawUrl({ projectId, taskId }: TaskRef): string {
  return buildUrl(taskRoutes.rawOutput, { params: { project_id: projectId, task_id: taskId } });
}

import type { TaskStatus } from '@signalbox/contract/task-state';
import { taskRoutes } from '@signalbox/contract/tasks';
import { templateRoutes } from '@signalbox/contract/templates';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api.ts';
import { projectKey } from './query-keys.ts';

// Tasks are watched live in several places; app/live-updates.ts finds them in the cache by these keys.

export const taskKeys = {
  /** Lists of tasks: every key under it holds TaskItem[]. */
  lists: (projectId: number) => projectKey(projectId, 'tasks'),
  one: (projectId: number, taskId: number) => projectKey(projectId, 'task', taskId),
  templates: (projectId: number) => projectKey(projectId, 'templates'),
  template: (projectId: number, templateId: number) => projectKey(projectId, 'template', templateId),
};

/** As many tasks as the server gives at once. */
export const tasksAtOnce = 200;

type ListPart = {
  limit?: number;
  /** Only tasks that are older than this one. */
  before?: number | undefined;
  /** Only tasks that have it. */
  status?: TaskStatus | undefined;
};

function writeListQuery({ limit = tasksAtOnce, before, status }: ListPart) {
  return {
    limit: String(limit),
    ...(before === undefined ? {} : { before: String(before) }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The latest tasks of a project, newest first. */
export function projectTasksQuery(projectId: number, part: ListPart = {}) {
  const query = writeListQuery(part);
  return queryOptions({
    queryKey: [...taskKeys.lists(projectId), 'project', query] as const,
    queryFn: ({ signal }) => call(taskRoutes.last, { params: { project_id: projectId }, query, signal }),
  });
}

/** The latest tasks of a template, newest first. */
export function templateTasksQuery(projectId: number, templateId: number, part: ListPart = {}) {
  const query = writeListQuery(part);
  return queryOptions({
    queryKey: [...taskKeys.lists(projectId), 'template', templateId, query] as const,
    queryFn: ({ signal }) =>
      call(templateRoutes.lastTasks, {
        params: { project_id: projectId, template_id: templateId },
        query,
        signal,
      }),
  });
}

/** The five tasks of a template that lists show under an opened row. */
export function latestTasksQuery(projectId: number, templateId: number) {
  return templateTasksQuery(projectId, templateId, { limit: 5 });
}

export function taskQuery(projectId: number, taskId: number) {
  return queryOptions({
    queryKey: taskKeys.one(projectId, taskId),
    queryFn: ({ signal }) => call(taskRoutes.get, { params: { project_id: projectId, task_id: taskId }, signal }),
  });
}

export function templateQuery(projectId: number, templateId: number) {
  return queryOptions({
    queryKey: taskKeys.template(projectId, templateId),
    queryFn: ({ signal }) =>
      call(templateRoutes.get, { params: { project_id: projectId, template_id: templateId }, signal }),
  });
}

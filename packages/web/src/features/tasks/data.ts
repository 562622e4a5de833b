import type { Task } from '@signalbox/contract/tasks';
import { type Launch, taskRoutes } from '@signalbox/contract/tasks';
import { templateRoutes } from '@signalbox/contract/templates';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { taskKeys } from '../../lib/task-queries.ts';

/** Asks for a stop; with force, ends the processes at once. */
export function useStopTask(projectId: number, taskId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (force: boolean) =>
      call(taskRoutes.stop, { params: { project_id: projectId, task_id: taskId }, body: { force } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: taskKeys.one(projectId, taskId) }),
  });
}

/** What a person says about a plan that waits for it. */
export function useDecide(projectId: number, taskId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (decision: 'confirm' | 'reject') =>
      call(taskRoutes[decision], { params: { project_id: projectId, task_id: taskId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: taskKeys.one(projectId, taskId) }),
  });
}

export function useLaunch(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Launch): Promise<Task> => call(taskRoutes.create, { params: { project_id: projectId }, body }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: taskKeys.lists(projectId) }),
        queryClient.invalidateQueries({ queryKey: taskKeys.templates(projectId) }),
      ]),
  });
}

/** Successful builds that a deploy may choose from, newest first. */
export function buildsQuery(projectId: number, buildTemplateId: number) {
  return queryOptions({
    queryKey: [...taskKeys.lists(projectId), 'builds', buildTemplateId] as const,
    queryFn: ({ signal }) =>
      call(templateRoutes.tasks, {
        params: { project_id: projectId, template_id: buildTemplateId },
        query: { status: 'success' },
        signal,
      }),
  });
}

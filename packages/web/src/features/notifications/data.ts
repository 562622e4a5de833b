import { notificationRoutes } from '@signalbox/contract/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey, sessionKey } from '../../lib/query-keys.ts';

/** As many messages as the server gives at once. */
export const notificationsAtOnce = 100;

/** Attempts are made beside the tasks, and no live message tells of them. */
const POLL_MS = 5000;

function writePart(before: number | undefined) {
  return { limit: String(notificationsAtOnce), ...(before === undefined ? {} : { before: String(before) }) };
}

/** The latest messages about tasks of a project, or those before one of them. */
export function projectNotificationsQuery(projectId: number, before: number | undefined) {
  const query = writePart(before);
  return queryOptions({
    queryKey: projectKey(projectId, 'notifications', query),
    queryFn: ({ signal }) => call(notificationRoutes.list, { params: { project_id: projectId }, query, signal }),
    refetchInterval: POLL_MS,
  });
}

/** The same of all projects. */
export function allNotificationsQuery(before: number | undefined) {
  const query = writePart(before);
  return queryOptions({
    queryKey: [...sessionKey, 'notifications', query],
    queryFn: ({ signal }) => call(notificationRoutes.listAll, { query, signal }),
    refetchInterval: POLL_MS,
  });
}

/** Tries every channel that the server has. */
export function useTestNotifications(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(notificationRoutes.test, { params: { project_id: projectId }, body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'notifications') }),
  });
}

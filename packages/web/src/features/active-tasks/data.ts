import { activeTaskRoutes } from '@signalbox/contract/active-tasks';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { sessionKey } from '../../lib/query-keys.ts';

const RELOAD_MS = 10_000;

/** Tasks of all projects that have not ended. */
export const activeTasksQuery = queryOptions({
  queryKey: [...sessionKey, 'active-tasks'],
  queryFn: ({ signal }) => call(activeTaskRoutes.list, { signal }),
  refetchInterval: RELOAD_MS,
});

export function useStopActiveTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (taskId: number) => call(activeTaskRoutes.stop, { params: { task_id: taskId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: activeTasksQuery.queryKey }),
  });
}

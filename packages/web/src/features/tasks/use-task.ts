import { isFinal } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLiveFallback } from '../../lib/live.ts';
import { taskKeys, taskQuery } from '../../lib/task-queries.ts';

/** How often a task that waits is asked for: its place in the queue changes without a message. */
const waitingMs = 5000;

/** A task, kept current: by live messages, and by asking while there is no connection for them. */
export function useTask(projectId: number, taskId: number) {
  const queryClient = useQueryClient();
  const fallback = useLiveFallback();
  return useQuery({
    ...taskQuery(projectId, taskId),
    // The list from which it was opened knows it already, so its log need not wait for another answer.
    placeholderData: () => findListed(queryClient, projectId, taskId),
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && isFinal(state.data.status)) return false;
      return fallback === false && state.data?.status === 'waiting' ? waitingMs : fallback;
    },
  });
}

function findListed(queryClient: QueryClient, projectId: number, taskId: number): TaskItem | undefined {
  for (const [, tasks] of queryClient.getQueriesData<TaskItem[]>({ queryKey: taskKeys.lists(projectId) })) {
    const found = tasks?.find((task) => task.id === taskId);
    if (found !== undefined) return found;
  }
  return undefined;
}

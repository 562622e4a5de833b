import { isFinal } from '@signalbox/contract/task-state';
import { useQuery } from '@tanstack/react-query';
import { useLiveFallback } from '../../lib/live.ts';
import { taskQuery } from '../../lib/task-queries.ts';

/** A task, kept current: by live messages, and by asking while there is no connection for them. */
export function useTask(projectId: number, taskId: number) {
  const fallback = useLiveFallback();
  return useQuery({
    ...taskQuery(projectId, taskId),
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && isFinal(state.data.status)) return false;
      // Its place in the queue, and whether its runner answers, change without a message.
      return fallback === false && state.data?.status === 'waiting' ? 5000 : fallback;
    },
  });
}

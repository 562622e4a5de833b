import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { projectKey } from './query-keys.ts';
import { projectsQuery } from './session.ts';

/**
 * Gives a project up, and leads to the first one that is left, or to the form for a new one. What the mutation is called with
 * tells of the success: the list may have lost the project by then, and its name with it.
 */
export function useProjectExit(projectId: number, giveUp: () => Promise<unknown>) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (_tell: () => void) => giveUp(),
    onSuccess: async (_answer, tell) => {
      // Gone from the list at once, so that the way to another one does not lead over it.
      queryClient.setQueryData(projectsQuery.queryKey, (projects) => projects?.filter(({ id }) => id !== projectId));
      tell();
      await navigate({ to: '/', search: {} });
      queryClient.removeQueries({ queryKey: projectKey(projectId) });
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
    },
  });
}

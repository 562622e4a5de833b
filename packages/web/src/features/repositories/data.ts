import { type Repository, type RepositoryInput, repositoryRoutes } from '@signalbox/contract/repositories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { useRemoval } from '../../lib/use-removal.ts';

export type RepositorySave = { id: number | undefined; input: RepositoryInput };

export function useSaveRepository(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, input }: RepositorySave): Promise<void> => {
      if (id === undefined) {
        await call(repositoryRoutes.create, { params: { project_id: projectId }, body: input });
        return;
      }
      const params = { project_id: projectId, repository_id: id };
      await call(repositoryRoutes.update, { params, body: { ...input, id } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'repositories') }),
  });
}

/** Asks a runner whether a stored repository can be reached. */
export function useTestRepository(projectId: number) {
  return useMutation({
    mutationFn: (id: number) => call(repositoryRoutes.test, { params: { project_id: projectId, repository_id: id } }),
  });
}

export function useRepositoryRemoval(projectId: number, onRemoved: (repository: Repository) => void) {
  const queryClient = useQueryClient();
  const paramsOf = (repository: Repository) => ({ params: { project_id: projectId, repository_id: repository.id } });
  return useRemoval<Repository>({
    loadReferences: (repository) => call(repositoryRoutes.references, paramsOf(repository)),
    remove: (repository) => call(repositoryRoutes.remove, paramsOf(repository)),
    onRemoved: (repository) => {
      void queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'repositories') });
      onRemoved(repository);
    },
  });
}

import { type Environment, type EnvironmentInput, environmentRoutes } from '@signalbox/contract/environments';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { useRemoval } from '../../lib/use-removal.ts';

export type EnvironmentSave = { id: number | undefined; input: EnvironmentInput };

/** One variable group with the names of its secrets, which lists leave out. Always asked for anew: a form starts from it. */
export function environmentQuery(projectId: number, environmentId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'environment', environmentId),
    queryFn: ({ signal }) =>
      call(environmentRoutes.get, { params: { project_id: projectId, environment_id: environmentId }, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSaveEnvironment(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, input }: EnvironmentSave): Promise<void> => {
      if (id === undefined) {
        await call(environmentRoutes.create, { params: { project_id: projectId }, body: input });
        return;
      }
      const params = { project_id: projectId, environment_id: id };
      await call(environmentRoutes.update, { params, body: { ...input, id } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'environments') }),
  });
}

export function useEnvironmentRemoval(projectId: number, onRemoved: (environment: Environment) => void) {
  const queryClient = useQueryClient();
  const paramsOf = (environment: Environment) => ({
    params: { project_id: projectId, environment_id: environment.id },
  });
  return useRemoval<Environment>({
    loadReferences: (environment) => call(environmentRoutes.references, paramsOf(environment)),
    remove: (environment) => call(environmentRoutes.remove, paramsOf(environment)),
    onRemoved: (environment) => {
      void queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'environments') });
      onRemoved(environment);
    },
  });
}

import { type RegistrationInput, runnerRegistrationRoutes } from '@signalbox/contract/runner-registrations';
import { projectRunnerRoutes, type Runner, type RunnerInput, runnerRoutes } from '@signalbox/contract/runners';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey, sessionKey } from '../../lib/query-keys.ts';
import { useActiveSwitch } from '../../lib/use-active-switch.ts';
import { showFailure } from '../../ui/snackbar.ts';

/** Whose runners: those of a project, or all (undefined). */
export type RunnerPlace = number | undefined;

/** Nobody tells that a runner has fallen silent, so the list is asked for again. */
const RELOAD_MS = 10_000;

export function runnersQuery(projectId: RunnerPlace) {
  return queryOptions({
    queryKey: projectId === undefined ? [...sessionKey, 'runners'] : projectKey(projectId, 'runners'),
    queryFn: ({ signal }) =>
      projectId === undefined
        ? call(runnerRoutes.list, { signal })
        : call(projectRunnerRoutes.list, { params: { project_id: projectId }, signal }),
    refetchInterval: RELOAD_MS,
  });
}

function useRunnerRefresh(projectId: RunnerPlace): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: runnersQuery(projectId).queryKey });
}

export function useCreateRunner(projectId: RunnerPlace) {
  const refresh = useRunnerRefresh(projectId);
  return useMutation({
    mutationFn: (body: RunnerInput) =>
      projectId === undefined
        ? call(runnerRoutes.create, { body })
        : call(projectRunnerRoutes.create, { params: { project_id: projectId }, body }),
    onSuccess: refresh,
  });
}

export function useChangeRunner(projectId: RunnerPlace) {
  const refresh = useRunnerRefresh(projectId);
  return useMutation({
    mutationFn: async ({ id, input }: { id: number; input: RunnerInput }): Promise<void> => {
      if (projectId === undefined) await call(runnerRoutes.update, { params: { runner_id: id }, body: input });
      else await call(projectRunnerRoutes.update, { params: { project_id: projectId, runner_id: id }, body: input });
    },
    onSuccess: refresh,
  });
}

export function useRemoveRunner(projectId: RunnerPlace) {
  const refresh = useRunnerRefresh(projectId);
  return useMutation({
    mutationFn: ({ id }: Runner) =>
      projectId === undefined
        ? call(runnerRoutes.remove, { params: { runner_id: id } })
        : call(projectRunnerRoutes.remove, { params: { project_id: projectId, runner_id: id } }),
    onSuccess: refresh,
  });
}

export function useRunnerSwitch(projectId: RunnerPlace) {
  return useActiveSwitch<Runner>({
    queryKey: runnersQuery(projectId).queryKey,
    send: ({ row, active }) =>
      projectId === undefined
        ? call(runnerRoutes.setActive, { params: { runner_id: row.id }, body: { active } })
        : call(projectRunnerRoutes.setActive, {
            params: { project_id: projectId, runner_id: row.id },
            body: { active },
          }),
    onRefused: showFailure,
  });
}

export function useCreateRegistration(projectId: RunnerPlace) {
  return useMutation({
    mutationFn: (body: RegistrationInput) =>
      projectId === undefined
        ? call(runnerRegistrationRoutes.create, { body })
        : call(runnerRegistrationRoutes.createInProject, { params: { project_id: projectId }, body }),
  });
}

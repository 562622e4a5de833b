import { type IntegrationAlias, integrationAliasRoutes } from '@signalbox/contract/integration-aliases';
import { type Integration, type IntegrationInput, integrationRoutes } from '@signalbox/contract/integrations';
import type { References } from '@signalbox/contract/references';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { useRemoval } from '../../lib/use-removal.ts';
import { showFailure } from '../../ui/snackbar.ts';

// A live message that integrations have changed finds every key that begins with `integration` or `deliver`.

export function integrationsQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'integrations'),
    queryFn: ({ signal }) => call(integrationRoutes.list, { params: { project_id: projectId }, signal }),
  });
}

export function integrationQuery(projectId: number, integrationId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'integration', integrationId),
    queryFn: ({ signal }) =>
      call(integrationRoutes.get, { params: { project_id: projectId, integration_id: integrationId }, signal }),
  });
}

function useRefresh(projectId: number): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'integrations') }),
      queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'integration') }),
    ]);
}

export type IntegrationSave = { id: number | undefined; input: IntegrationInput };

export function useSaveIntegration(projectId: number) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: async ({ id, input }: IntegrationSave): Promise<void> => {
      if (id === undefined) {
        await call(integrationRoutes.create, { params: { project_id: projectId }, body: input });
        return;
      }
      const params = { project_id: projectId, integration_id: id };
      await call(integrationRoutes.update, { params, body: { ...input, id } });
    },
    onSuccess: refresh,
  });
}

/** Switches the global alias at once, and back with the reason when the server refuses. */
export function useSetSearchable(projectId: number) {
  const queryClient = useQueryClient();
  const refresh = useRefresh(projectId);
  const show = (id: number, searchable: boolean): void => {
    queryClient.setQueryData(integrationQuery(projectId, id).queryKey, (shown) => shown && { ...shown, searchable });
  };
  return useMutation({
    mutationFn: ({ integration, searchable }: { integration: Integration; searchable: boolean }) => {
      const params = { project_id: projectId, integration_id: integration.id };
      return call(integrationRoutes.update, { params, body: { ...integration, searchable } });
    },
    onMutate: async ({ integration, searchable }) => {
      // An answer that is on its way was asked for before the change.
      await queryClient.cancelQueries({ queryKey: integrationQuery(projectId, integration.id).queryKey });
      show(integration.id, searchable);
    },
    onError: (error, { integration, searchable }) => {
      show(integration.id, !searchable);
      showFailure(error);
    },
    onSettled: refresh,
  });
}

export function useIntegrationRemoval(projectId: number, onRemoved: (integration: Integration) => void) {
  const queryClient = useQueryClient();
  const paramsOf = (integration: Integration) => ({
    params: { project_id: projectId, integration_id: integration.id },
  });
  return useRemoval<Integration>({
    loadReferences: async (integration) => {
      const {
        matchers: _,
        values: __,
        ...references
      } = await call(integrationRoutes.references, paramsOf(integration));
      return references;
    },
    remove: (integration) => call(integrationRoutes.remove, paramsOf(integration)),
    onRemoved: (integration) => {
      void queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'integrations') });
      onRemoved(integration);
    },
  });
}

/** Addresses of one integration, or those of the project that reach all searchable ones. */
export type AliasOwner = { projectId: number; integrationId: number | undefined };

function aliasesKey({ projectId, integrationId }: AliasOwner) {
  return projectKey(projectId, 'integration-aliases', integrationId ?? 'project');
}

export function aliasesQuery(owner: AliasOwner) {
  const { projectId, integrationId } = owner;
  return queryOptions({
    queryKey: aliasesKey(owner),
    queryFn: ({ signal }): Promise<IntegrationAlias[]> =>
      integrationId === undefined
        ? call(integrationAliasRoutes.listOfProject, { params: { project_id: projectId }, signal })
        : call(integrationAliasRoutes.list, {
            params: { project_id: projectId, integration_id: integrationId },
            signal,
          }),
  });
}

export function useAddAlias(owner: AliasOwner) {
  const queryClient = useQueryClient();
  const { projectId, integrationId } = owner;
  return useMutation({
    mutationFn: () =>
      integrationId === undefined
        ? call(integrationAliasRoutes.createForProject, { params: { project_id: projectId } })
        : call(integrationAliasRoutes.create, { params: { project_id: projectId, integration_id: integrationId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: aliasesKey(owner) }),
    onError: showFailure,
  });
}

/** Nothing can use an alias but whoever was told of it. */
const noReferences: References = { templates: [], inventories: [], repositories: [], integrations: [], schedules: [] };

/** An alias under the name that a question before its deletion gives it. */
export type NamedAlias = { id: number; name: string };

export function useAliasRemoval(owner: AliasOwner, onRemoved: () => void) {
  const queryClient = useQueryClient();
  const { projectId, integrationId } = owner;
  return useRemoval<NamedAlias>({
    loadReferences: async () => noReferences,
    remove: ({ id }) =>
      integrationId === undefined
        ? call(integrationAliasRoutes.removeOfProject, { params: { project_id: projectId, alias_id: id } })
        : call(integrationAliasRoutes.remove, {
            params: { project_id: projectId, integration_id: integrationId, alias_id: id },
          }),
    onRemoved: () => {
      void queryClient.invalidateQueries({ queryKey: aliasesKey(owner) });
      onRemoved();
    },
  });
}

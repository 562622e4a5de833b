import { type Inventory, type InventoryType, inventoryRoutes } from '@signalbox/contract/inventories';
import type { Template } from '@signalbox/contract/templates';
import { type TerraformAlias, type TerraformStateItem, terraformRoutes } from '@signalbox/contract/terraform';
import { workspaceRoutes } from '@signalbox/contract/workspaces';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { taskKeys } from '../../lib/task-queries.ts';
import { useRemoval } from '../../lib/use-removal.ts';

export type WorkspacePlace = { projectId: number; workspaceId: number };

const paramsOf = ({ projectId, workspaceId }: WorkspacePlace) => ({ project_id: projectId, inventory_id: workspaceId });

// "terraform" at the beginning of a key: whatever changes a state, a task too, has these fetched anew.

export function aliasesQuery(place: WorkspacePlace) {
  return queryOptions({
    queryKey: projectKey(place.projectId, 'terraform-aliases', place.workspaceId),
    queryFn: ({ signal }) => call(terraformRoutes.listAliases, { params: paramsOf(place), signal }),
  });
}

export function statesQuery(place: WorkspacePlace) {
  return queryOptions({
    queryKey: projectKey(place.projectId, 'terraform-states', place.workspaceId),
    queryFn: ({ signal }) => call(terraformRoutes.listStates, { params: paramsOf(place), signal }),
  });
}

/** One state with its text. It never changes, and it is secret: it is forgotten as soon as it is not shown. */
export function stateQuery(place: WorkspacePlace, stateId: number) {
  return queryOptions({
    queryKey: projectKey(place.projectId, 'terraform-state', place.workspaceId, stateId),
    queryFn: ({ signal }) =>
      call(terraformRoutes.getState, { params: { ...paramsOf(place), state_id: stateId }, signal }),
    gcTime: 0,
    retry: false,
  });
}

/** After a change of a template's workspaces: which is its own stands in both. */
function useWorkspaceRefresh(projectId: number): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'inventories') }),
      queryClient.invalidateQueries({ queryKey: taskKeys.templates(projectId) }),
      queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'template') }),
    ]);
}

type WorkspaceStep = { step: 'setDefault' | 'attach' | 'detach'; workspaceId: number };

export function useWorkspaceStep({ id, project_id: projectId }: Pick<Template, 'id' | 'project_id'>) {
  const refresh = useWorkspaceRefresh(projectId);
  return useMutation({
    mutationFn: ({ step, workspaceId }: WorkspaceStep) =>
      call(workspaceRoutes[step], {
        params: { project_id: projectId, template_id: id, inventory_id: workspaceId },
      }),
    onSettled: refresh,
  });
}

export type NewWorkspace = { name: string; keyId: number };

/** The name of the inventory begins with that of the template; the workspace's own is its content. */
export function useCreateWorkspace({ id, project_id: projectId, name: prefix, app }: Template) {
  const refresh = useWorkspaceRefresh(projectId);
  return useMutation({
    mutationFn: ({ name, keyId }: NewWorkspace): Promise<Inventory> =>
      call(inventoryRoutes.create, {
        params: { project_id: projectId },
        body: {
          name: `${prefix} - ${name}`,
          inventory: name,
          type: workspaceType(app),
          ssh_key_id: keyId,
          template_id: id,
        },
      }),
    onSuccess: refresh,
  });
}

function workspaceType(app: string): InventoryType {
  return app === 'tofu' ? 'tofu-workspace' : 'terraform-workspace';
}

export function useWorkspaceRemoval(projectId: number) {
  const refresh = useWorkspaceRefresh(projectId);
  const params = (workspace: Inventory) => ({
    params: paramsOf({ projectId, workspaceId: workspace.id }),
  });
  return useRemoval<Inventory>({
    loadReferences: (workspace) => call(inventoryRoutes.references, params(workspace)),
    remove: (workspace) => call(inventoryRoutes.remove, params(workspace)),
    onRemoved: () => void refresh(),
  });
}

export type AliasSave = { id: number | undefined; keyId: number };

export function useSaveAlias(place: WorkspacePlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, keyId }: AliasSave): Promise<void> => {
      const body = { auth_key_id: keyId };
      if (id === undefined) await call(terraformRoutes.createAlias, { params: paramsOf(place), body });
      else await call(terraformRoutes.updateAlias, { params: { ...paramsOf(place), alias_id: id }, body });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: aliasesQuery(place).queryKey }),
  });
}

export function useRemoveAlias(place: WorkspacePlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: TerraformAlias) =>
      call(terraformRoutes.removeAlias, { params: { ...paramsOf(place), alias_id: id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: aliasesQuery(place).queryKey }),
  });
}

export function useRemoveState(place: WorkspacePlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: TerraformStateItem) =>
      call(terraformRoutes.removeState, { params: { ...paramsOf(place), state_id: id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: statesQuery(place).queryKey }),
  });
}

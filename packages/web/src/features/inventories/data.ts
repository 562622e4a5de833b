import { type Inventory, type InventoryInput, inventoryRoutes } from '@signalbox/contract/inventories';
import { workspaceRoutes } from '@signalbox/contract/workspaces';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { useRemoval } from '../../lib/use-removal.ts';

export type InventorySave = { id: number | undefined; input: InventoryInput };

export function useSaveInventory(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, input }: InventorySave): Promise<void> => {
      if (id === undefined) {
        await call(inventoryRoutes.create, { params: { project_id: projectId }, body: input });
        return;
      }
      const params = { project_id: projectId, inventory_id: id };
      await call(inventoryRoutes.update, { params, body: { ...input, id } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'inventories') }),
  });
}

/** Gives a free workspace to a template. */
export function useAttachWorkspace(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ workspaceId, templateId }: { workspaceId: number; templateId: number }) =>
      call(workspaceRoutes.attach, {
        params: { project_id: projectId, template_id: templateId, inventory_id: workspaceId },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'inventories') }),
  });
}

export function useInventoryRemoval(projectId: number, onRemoved: (inventory: Inventory) => void) {
  const queryClient = useQueryClient();
  const paramsOf = (inventory: Inventory) => ({ params: { project_id: projectId, inventory_id: inventory.id } });
  return useRemoval<Inventory>({
    loadReferences: (inventory) => call(inventoryRoutes.references, paramsOf(inventory)),
    remove: (inventory) => call(inventoryRoutes.remove, paramsOf(inventory)),
    onRemoved: (inventory) => {
      void queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'inventories') });
      onRemoved(inventory);
    },
  });
}

import { type Key, type KeyInput, keyRoutes } from '@signalbox/contract/keys';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { useRemoval } from '../../lib/use-removal.ts';

export type KeySave = { input: KeyInput; edited: { id: number; override_secret: boolean } | undefined };

export function useSaveKey(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ input, edited }: KeySave): Promise<void> => {
      if (edited === undefined) {
        await call(keyRoutes.create, { params: { project_id: projectId }, body: input });
        return;
      }
      const params = { project_id: projectId, key_id: edited.id };
      await call(keyRoutes.update, { params, body: { ...input, ...edited } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'keys') }),
  });
}

export function useKeyRemoval(projectId: number, onRemoved: (key: Key) => void) {
  const queryClient = useQueryClient();
  const paramsOf = (key: Key) => ({ params: { project_id: projectId, key_id: key.id } });
  return useRemoval<Key>({
    loadReferences: (key) => call(keyRoutes.references, paramsOf(key)),
    remove: (key) => call(keyRoutes.remove, paramsOf(key)),
    onRemoved: (key) => {
      void queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'keys') });
      onRemoved(key);
    },
  });
}

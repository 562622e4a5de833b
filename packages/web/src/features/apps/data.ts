import { type App, type AppInput, appRoutes } from '@signalbox/contract/apps';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { appsQuery } from '../../lib/project-lists.ts';
import { useActiveSwitch } from '../../lib/use-active-switch.ts';
import { showFailure } from '../../ui/snackbar.ts';

export type AppSave = { id: string; input: AppInput };

export function useSaveApp() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, input }: AppSave) => call(appRoutes.save, { params: { app_id: id }, body: input }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: appsQuery.queryKey }),
  });
}

export function useRemoveApp() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (app: App) => call(appRoutes.remove, { params: { app_id: app.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: appsQuery.queryKey }),
  });
}

export function useAppSwitch() {
  return useActiveSwitch<App>({
    queryKey: appsQuery.queryKey,
    send: ({ row, active }) => call(appRoutes.setActive, { params: { app_id: row.id }, body: { active } }),
    onRefused: showFailure,
  });
}

import { type BackupFile, backupRoutes } from '@signalbox/contract/backup';
import { type Project, type ProjectInput, projectRoutes } from '@signalbox/contract/projects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectsQuery } from '../../lib/session.ts';
import { useProjectExit } from '../../lib/use-project-exit.ts';
import { saveFile } from '../../ui/save-file.ts';

export function useCreateProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: ProjectInput) => call(projectRoutes.create, { body: input }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
}

export function useChangeProject(project: Project) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: ProjectInput) => {
      const { name, alert, alert_chat: chat, max_parallel_tasks: limit } = { ...project, ...input };
      return call(projectRoutes.update, {
        params: { project_id: project.id },
        body: { id: project.id, name, alert, alert_chat: chat, max_parallel_tasks: limit },
      });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
}

export function useRestoreProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (backup: BackupFile) => call(backupRoutes.restore, { body: backup }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
}

export function useDeleteProject({ id }: Project) {
  return useProjectExit(id, () => call(projectRoutes.remove, { params: { project_id: id } }));
}

const PAUSE_MS = 1000;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/**
 * Downloads the backup of a project. It begins a second after it was asked for and is over a second after the file is there, so
 * that the button shows what happens also where the server takes no time.
 */
export function useBackupDownload(projectId: number, onSaved: () => void) {
  return useMutation({
    mutationFn: async () => {
      await pause();
      const backup = await call(backupRoutes.create, { params: { project_id: projectId } });
      saveFile(`backup_${projectId}_${Date.now()}.json`, JSON.stringify(backup, null, 2), 'application/json');
      onSaved();
      await pause();
    },
  });
}

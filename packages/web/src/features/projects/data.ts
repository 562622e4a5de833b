import { type Project, type ProjectInput, projectRoutes } from '@signalbox/contract/projects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectsQuery } from '../../lib/session.ts';

export function useCreateProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: ProjectInput) => call(projectRoutes.create, { body: input }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
}

export function useChangeProject(project: Project | undefined) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: ProjectInput): Promise<void> => {
      if (project === undefined) return;
      const { name, alert, alert_chat: chat, max_parallel_tasks: limit } = { ...project, ...input };
      await call(projectRoutes.update, {
        params: { project_id: project.id },
        body: { id: project.id, name, alert, alert_chat: chat, max_parallel_tasks: limit },
      });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
}

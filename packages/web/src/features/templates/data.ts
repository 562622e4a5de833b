import { type Template, type TemplateInput, templateRoutes } from '@signalbox/contract/templates';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { taskKeys } from '../../lib/task-queries.ts';
import { useRemoval } from '../../lib/use-removal.ts';

export type TemplateSave = { id: number | undefined; input: TemplateInput };

/** Creates or changes a template; answers its id. */
export function useSaveTemplate(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, input }: TemplateSave): Promise<number> => {
      if (id === undefined) {
        const created = await call(templateRoutes.create, { params: { project_id: projectId }, body: input });
        return created.id;
      }
      const params = { project_id: projectId, template_id: id };
      await call(templateRoutes.update, { params, body: { ...input, id } });
      return id;
    },
    onSuccess: (id) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: taskKeys.templates(projectId) }),
        queryClient.invalidateQueries({ queryKey: taskKeys.template(projectId, id) }),
      ]),
  });
}

export function useTemplateRemoval(projectId: number, onRemoved: (template: Template) => void) {
  const queryClient = useQueryClient();
  const paramsOf = (template: Template) => ({ params: { project_id: projectId, template_id: template.id } });
  return useRemoval<Template>({
    loadReferences: (template) => call(templateRoutes.references, paramsOf(template)),
    remove: (template) => call(templateRoutes.remove, paramsOf(template)),
    onRemoved: (template) => {
      // Out of the list at once: the answer of the next request would let it stand there for a moment longer.
      queryClient.setQueryData<Template[]>(taskKeys.templates(projectId), (list) =>
        list?.filter(({ id }) => id !== template.id),
      );
      void queryClient.invalidateQueries({ queryKey: taskKeys.lists(projectId) });
      onRemoved(template);
    },
  });
}

import { type View, viewRoutes } from '@signalbox/contract/views';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { ApiError } from '../../lib/failure.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { taskKeys } from '../../lib/task-queries.ts';
import { planViews, type ViewDraft } from './view-draft.ts';

/** The tabs over the list of templates, in their order. */
export function viewsQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'views'),
    queryFn: ({ signal }) => call(viewRoutes.list, { params: { project_id: projectId }, signal }),
  });
}

export type ViewsSave = {
  stored: readonly View[];
  drafts: readonly ViewDraft[];
  /** Ids of views that were made already, by their temporary ones: after a failure half-way nothing is made twice. */
  made: Map<number, number>;
};

export function useSaveViews(projectId: number) {
  const queryClient = useQueryClient();
  const params = { project_id: projectId };
  return useMutation({
    mutationFn: async ({ stored, drafts, made }: ViewsSave): Promise<void> => {
      const plan = planViews(stored, drafts, made);
      for (const { id, title } of plan.added) {
        const view = await call(viewRoutes.create, { params, body: { title } });
        made.set(id, view.id);
      }
      for (const { id, title } of plan.renamed) {
        await call(viewRoutes.update, { params: { ...params, view_id: id }, body: { id, title } });
      }
      for (const id of plan.removed) await removeView(projectId, id);
      const order = plan.order.map((id) => made.get(id) ?? id);
      if (!plan.isMoved) return;
      const positions = Object.fromEntries(order.map((id, position) => [String(id), position]));
      await call(viewRoutes.arrange, { params, body: positions });
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'views') }),
        queryClient.invalidateQueries({ queryKey: taskKeys.templates(projectId) }),
      ]),
  });
}

/** One that is gone already is what was wanted: an earlier attempt got this far, or somebody else was faster. */
async function removeView(projectId: number, viewId: number): Promise<void> {
  try {
    await call(viewRoutes.remove, { params: { project_id: projectId, view_id: viewId } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

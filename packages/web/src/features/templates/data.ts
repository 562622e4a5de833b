import { type Schedule, scheduleRoutes } from '@signalbox/contract/schedules';
import { statsRoutes } from '@signalbox/contract/stats';
import { type Template, type TemplateInput, templateRoutes } from '@signalbox/contract/templates';
import { type Query, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { taskKeys, templateTasksQuery } from '../../lib/task-queries.ts';
import { useRemoval } from '../../lib/use-removal.ts';
import { showFailure } from '../../ui/snackbar.ts';
import { type CheckPlan, planCheck } from './commit-check.ts';
import { type TemplateDraft, toTemplateInput } from './template-draft.ts';

/** Schedules by which a template looks for new commits: one, or none. */
export function commitSchedulesQuery(projectId: number, templateId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'schedules', 'ofTemplate', templateId),
    queryFn: ({ signal }) =>
      call(scheduleRoutes.ofTemplate, { params: { project_id: projectId, template_id: templateId }, signal }),
  });
}

export type TemplateSave = {
  id: number | undefined;
  draft: TemplateDraft;
  /** The stored schedule of the commit check. */
  schedule: Schedule | undefined;
};

/** Creates or changes a template, and then the schedule of its commit check; answers its id. */
export function useSaveTemplate(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, draft, schedule }: TemplateSave): Promise<number> => {
      const plan = planCheck(draft.commitCheck, schedule);
      await checkCron(projectId, plan);
      const saved = await saveTemplate(projectId, id, toTemplateInput(draft));
      try {
        await followPlan(projectId, saved, plan);
      } catch (error) {
        // The template is stored: to call its form failed would have it made once more.
        showFailure(t('templates.checkFailed', { reason: describeError(error) }));
      }
      return saved;
    },
    onSuccess: (id) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: taskKeys.templates(projectId) }),
        queryClient.invalidateQueries({ queryKey: taskKeys.template(projectId, id) }),
        queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'schedules') }),
        // Terraform and OpenTofu get a workspace with their first template.
        queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'inventories') }),
      ]),
  });
}

async function saveTemplate(projectId: number, id: number | undefined, input: TemplateInput): Promise<number> {
  if (id === undefined) {
    const created = await call(templateRoutes.create, { params: { project_id: projectId }, body: input });
    return created.id;
  }
  const params = { project_id: projectId, template_id: id };
  await call(templateRoutes.update, { params, body: { ...input, id } });
  return id;
}

/** Before anything is stored, so that a cron text that the server refuses leaves no half of the form behind. */
async function checkCron(projectId: number, plan: CheckPlan): Promise<void> {
  if (plan.kind !== 'create' && plan.kind !== 'update') return;
  await call(scheduleRoutes.validate, { params: { project_id: projectId }, body: { cron_format: plan.cron } });
}

async function followPlan(projectId: number, templateId: number, plan: CheckPlan): Promise<void> {
  const params = { project_id: projectId };
  switch (plan.kind) {
    case 'nothing':
      return;
    case 'create':
      await call(scheduleRoutes.create, { params, body: { ...bodyOf(templateId, plan), active: true } });
      return;
    case 'update':
      await call(scheduleRoutes.update, {
        params: { ...params, schedule_id: plan.id },
        body: { ...bodyOf(templateId, plan), id: plan.id },
      });
      return;
    case 'remove':
      await call(scheduleRoutes.remove, { params: { ...params, schedule_id: plan.id } });
      return;
  }
}

function bodyOf(templateId: number, { cron, repositoryId }: { cron: string; repositoryId: number }) {
  return { template_id: templateId, cron_format: cron, repository_id: repositoryId };
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
      // Its own tasks went with it: to ask for them once more is to be told so.
      const own = JSON.stringify(templateTasksQuery(projectId, template.id).queryKey.slice(0, 5));
      const isOther = ({ queryKey }: Query): boolean => JSON.stringify(queryKey.slice(0, 5)) !== own;
      void queryClient.invalidateQueries({ queryKey: taskKeys.lists(projectId), predicate: isOther });
      onRemoved(template);
    },
  });
}

/** Ended tasks of a template by day, from a day on. */
export function templateStatsQuery({ id, project_id: projectId }: Template, start: string, zone: string) {
  const query = { start, tz: zone };
  return queryOptions({
    queryKey: projectKey(projectId, 'stats', 'ofTemplate', id, query),
    queryFn: ({ signal }) =>
      call(statsRoutes.ofTemplate, { params: { project_id: projectId, template_id: id }, query, signal }),
  });
}

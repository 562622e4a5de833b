import type { Repository } from '@signalbox/contract/repositories';
import type { Schedule } from '@signalbox/contract/schedules';
import type { Template } from '@signalbox/contract/templates';
import type { View } from '@signalbox/contract/views';
import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../lib/dates.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectId } from '../../lib/project-id.ts';
import {
  environmentsQuery,
  inventoriesQuery,
  keysQuery,
  repositoriesQuery,
  templatesQuery,
} from '../../lib/project-lists.ts';
import { templateQuery } from '../../lib/task-queries.ts';
import { type KeyValue, KeyValueCard } from '../../ui/key-value-card.tsx';
import { describeType, nameApp, readAppFields } from './app-fields.ts';
import { listIntervals } from './commit-check.ts';
import { commitSchedulesQuery } from './data.ts';
import { describeSurveyType } from './survey-variable-dialog.tsx';
import { draftOf } from './template-draft.ts';
import { useTemplateId } from './template-screen.tsx';
import { TemplateStats } from './template-stats.tsx';
import css from './templates.module.css';
import { viewsQuery } from './view-data.ts';

/** All that a template says, to read. */
export function TemplateDetailsScreen() {
  const projectId = useProjectId();
  const templateId = useTemplateId();
  const { data: template } = useQuery(templateQuery(projectId, templateId));
  const { data: repositories } = useQuery(repositoriesQuery(projectId));
  const { data: inventories } = useQuery(inventoriesQuery(projectId));
  const { data: environments } = useQuery(environmentsQuery(projectId));
  const { data: templates } = useQuery(templatesQuery(projectId));
  const { data: keys } = useQuery(keysQuery(projectId));
  const { data: views } = useQuery(viewsQuery(projectId));
  const { data: schedules } = useQuery(commitSchedulesQuery(projectId, templateId));
  if (template === undefined) return null;
  const check = schedules?.[0];
  const find = (list: readonly { id: number; name: string }[] | undefined, id: number | null): string | null =>
    list === undefined ? awaited(id) : (list.find((each) => each.id === id)?.name ?? null);
  const facts: KeyValue[] = [
    { label: t('templates.description'), value: template.description },
    { label: t('templates.app'), value: nameApp(template.app) },
    { label: t('templates.type'), value: describeType(template.type) },
    { label: t('templates.startVersion'), value: template.start_version, mono: true },
    { label: t('templates.buildTemplate'), value: find(templates, template.build_template_id) },
    { label: t('templates.autorun'), value: template.autorun ? t('templates.yes') : null },
    { label: t(readAppFields(template.app).path), value: template.playbook, mono: true },
    { label: t('templates.repository'), value: find(repositories, template.repository_id) },
    { label: t('templates.branch'), value: template.git_branch, mono: true },
    { label: t('templates.inventory'), value: find(inventories, template.inventory_id) },
    { label: t('templates.environment'), value: find(environments, template.environment_id) },
    { label: t('templates.view'), value: findTitle(views, template.view_id) },
    { label: t('templates.sectionCheck'), value: check === undefined ? null : describeCheck(check, repositories) },
  ];
  return (
    <>
      <TemplateStats template={template} />
      <div className={css.details}>
        <KeyValueCard title={t('templates.sectionCode')} facts={facts} />
        <KeyValueCard title={t('templates.sectionRun')} facts={listRunFacts(template)} />
        {template.survey_vars.length === 0 ? null : (
          <KeyValueCard
            title={t('templates.survey')}
            facts={template.survey_vars.map(({ name, title, type, required }) => ({
              label: title,
              value: [name, describeSurveyType(type), required ? t('templates.variableRequired') : '']
                .filter((word) => word !== '')
                .join(' · '),
            }))}
          />
        )}
        {template.vaults.length === 0 ? null : (
          <KeyValueCard
            title={t('templates.vaults')}
            facts={template.vaults.map(({ name, type, script, vault_key_id: key }) => ({
              label: name ?? t('templates.vaultDefault'),
              value: type === 'script' ? script : (find(keys, key ?? null) ?? t('templates.vaultPassword')),
            }))}
          />
        )}
      </div>
    </>
  );
}

/** Keeps the place of a name that is on its way: the lines below it would move. */
function awaited(id: number | null): string | null {
  return id === null ? null : '…';
}

function findTitle(views: readonly View[] | undefined, id: number | null): string | null {
  return views === undefined ? awaited(id) : (views.find((view) => view.id === id)?.title ?? null);
}

/** infra, every 5 minutes */
function describeCheck(schedule: Schedule, repositories: readonly Repository[] | undefined): string {
  const { cron_format: cron, repository_id: id, active } = schedule;
  const interval = listIntervals(cron).find(({ value }) => value === cron)?.label ?? cron;
  const repository = repositories?.find((each) => each.id === id)?.name ?? '…';
  return t(active ? 'templates.checkedEvery' : 'templates.checkPaused', { repository, interval });
}

function listRunFacts(template: Template): KeyValue[] {
  const { arguments: args, limit, tags, skipTags, allow, autoApprove } = draftOf(template);
  const allowed = [
    allow.arguments ? t('templates.arguments') : '',
    allow.inventory ? t('templates.inventory') : '',
    allow.limit ? t('tasks.limit') : '',
    allow.tags ? t('tasks.tags') : '',
    allow.skipTags ? t('tasks.skipTags') : '',
    allow.debug ? t('tasks.debug') : '',
  ].filter((word) => word !== '');
  const { timeout_seconds: timeout, stop_grace_seconds: grace } = template;
  return [
    { label: t('templates.arguments'), value: args.join(' '), mono: true },
    { label: t('tasks.limit'), value: limit.join(', '), mono: true },
    { label: t('tasks.tags'), value: tags.join(', '), mono: true },
    { label: t('tasks.skipTags'), value: skipTags.join(', '), mono: true },
    { label: t('templates.sectionLaunch'), value: allowed.length === 0 ? t('templates.nothing') : allowed.join(', ') },
    { label: t('templates.timeout'), value: timeout === 0 ? t('templates.noTimeout') : formatDuration(timeout * 1000) },
    { label: t('templates.grace'), value: grace === null ? t('templates.graceDefault') : formatDuration(grace * 1000) },
    { label: t('templates.runnerTag'), value: template.runner_tag },
    ...(readAppFields(template.app).hasPlans
      ? [{ label: t('templates.autoApprove'), value: t(autoApprove ? 'templates.yes' : 'templates.no') }]
      : []),
    { label: t('templates.parallel'), value: t(template.allow_parallel_tasks ? 'templates.yes' : 'templates.no') },
    { label: t('templates.quiet'), value: template.suppress_success_alerts ? t('templates.yes') : null },
  ];
}

import { Anchor } from '@mantine/core';
import type { TaskItem } from '@signalbox/contract/tasks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { describeStarter } from '../../lib/describe-starter.ts';
import { t } from '../../lib/i18n.ts';
import { inventoriesQuery } from '../../lib/project-lists.ts';
import { templateQuery } from '../../lib/task-queries.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type KeyValue, KeyValueCard } from '../../ui/key-value-card.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { PlanCard } from './plan-card.tsx';
import css from './task.module.css';
import { describeRunner, listParameters, shortenCommit, shortenMessage } from './task-text.ts';

/** The right column: who, what, which commit, with which values. */
export function TaskFacts({ task }: { task: TaskItem }) {
  const { data: template } = useQuery(templateQuery(task.project_id, task.template_id));
  const parameters = listParameters(task, template?.survey_vars ?? []);
  return (
    <aside className={css.facts} aria-label={t('tasks.facts')}>
      {task.plan === null ? null : <PlanCard plan={task.plan} />}
      <KeyValueCard facts={useFacts(task)} />
      {parameters.length === 0 ? null : (
        <KeyValueCard
          title={t('tasks.parameters')}
          facts={parameters.map(({ name, value, isSecret }) => ({
            label: name,
            value: isSecret ? <span className={css.secret}>{value}</span> : value,
            mono: !isSecret,
          }))}
        />
      )}
    </aside>
  );
}

function useFacts(task: TaskItem): KeyValue[] {
  const { data: inventories } = useQuery(inventoriesQuery(task.project_id));
  const inventory = inventories?.find(({ id }) => id === task.inventory_id)?.name ?? null;
  return [
    { label: t('tasks.startedBy'), value: describeStarter(task) },
    task.start === null
      ? { label: t('tasks.created'), value: <TimeAgo time={task.created} /> }
      : { label: t('tasks.started'), value: <TimeAgo time={task.start} /> },
    { label: t('tasks.ended'), value: task.end === null ? null : <TimeAgo time={task.end} /> },
    { label: t('tasks.template'), value: <TemplateLink task={task} /> },
    { label: t('tasks.version'), value: task.tpl_type === 'deploy' ? null : task.version, mono: true },
    { label: t('tasks.build'), value: task.build_task === null ? null : <BuildLink build={task.build_task} /> },
    {
      label: t('tasks.commit'),
      value: task.commit_hash === null ? null : <Commit task={task} hash={task.commit_hash} />,
    },
    { label: t('tasks.message'), value: task.message },
    { label: t('tasks.branch'), value: task.git_branch, mono: true },
    { label: t('tasks.inventory'), value: inventory },
    { label: t('tasks.runner'), value: describeRunner(task) },
  ].filter(({ value }) => value !== null);
}

function TemplateLink({ task }: { task: TaskItem }) {
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link
          {...props}
          to="/project/$projectId/templates/$templateId/tasks"
          params={{ projectId: String(task.project_id), templateId: String(task.template_id) }}
          search={{}}
        />
      )}
    >
      {task.tpl_alias}
    </Anchor>
  );
}

function BuildLink({ build }: { build: NonNullable<TaskItem['build_task']> }) {
  return <TaskLink taskId={build.id}>{build.version ?? `#${build.id}`}</TaskLink>;
}

/** A link that opens the log of a task over the current screen. */
export function TaskLink({ taskId, children }: { taskId: number; children: string }) {
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link {...props} to="." search={(before: Record<string, unknown>) => ({ ...before, t: taskId })} hash="" />
      )}
    >
      {children}
    </Anchor>
  );
}

function Commit({ task, hash }: { task: TaskItem; hash: string }) {
  return (
    <>
      <span className={css.commit}>
        <code title={hash}>{shortenCommit(hash)}</code>
        <CopyButton text={hash} label={t('tasks.copyCommit')} />
      </span>
      {task.commit_message === '' ? null : (
        <span className={css.commitMessage} title={task.commit_message}>
          {shortenMessage(task.commit_message)}
        </span>
      )}
    </>
  );
}

import type { TaskItem } from '@signalbox/contract/tasks';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { describeStarter } from '../../lib/describe-starter.ts';
import { t } from '../../lib/i18n.ts';
import { useLiveFallback } from '../../lib/live.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useListStart, useTablePage } from '../../lib/table-search.ts';
import { tasksAtOnce, templateTasksQuery } from '../../lib/task-queries.ts';
import { Dash } from '../../ui/dash.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Duration } from '../../ui/duration.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListEnds } from '../../ui/list-ends.tsx';
import { Pager, slicePage } from '../../ui/pager.tsx';
import { RowLink } from '../../ui/row-target.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { readVersion } from './last-task.tsx';
import { useTemplateId } from './template-screen.tsx';
import css from './templates.module.css';

/** The tasks of a template, newest first. */
export function TemplateTasksScreen() {
  const refetchInterval = useLiveFallback();
  const before = useListStart();
  const tasks = useQuery({ ...templateTasksQuery(useProjectId(), useTemplateId(), { before }), refetchInterval });
  const [page, setPage] = useTablePage();
  if (tasks.error !== null && tasks.data === undefined) {
    return <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />;
  }
  return (
    <>
      <DataTable
        label={t('templates.tasks')}
        columns={listColumns()}
        rows={tasks.data === undefined ? undefined : slicePage(tasks.data, page)}
        rowKey={({ id }) => id}
        empty={
          before === undefined ? (
            <EmptyState icon={<IconHistory size={19} stroke={1.6} />} title={t('templates.notLaunched')}>
              {t('templates.noTasks')}
            </EmptyState>
          ) : (
            <EmptyState icon={<IconHistory size={19} stroke={1.6} />} title={t('templates.noOlder')} />
          )
        }
      />
      <Pager page={page} total={tasks.data?.length ?? 0} onPage={setPage} />
      <ListEnds before={before} last={tasks.data?.[tasksAtOnce - 1]?.id} />
    </>
  );
}

function listColumns(): Column<TaskItem>[] {
  return [
    {
      id: 'task',
      title: t('templates.task'),
      inList: 'title',
      render: ({ id, message, commit_message: commit }) => (
        <>
          <RowLink to="." search={(before: Record<string, unknown>) => ({ ...before, t: id })} resetScroll={false}>
            #{id}
          </RowLink>
          <span className={css.message}>{message === '' ? commit.slice(0, 50) : message}</span>
        </>
      ),
    },
    { id: 'version', title: t('templates.version'), mono: true, render: (task) => readVersion(task) ?? <Dash /> },
    {
      id: 'status',
      title: t('templates.status'),
      inList: 'side',
      render: ({ status, waiting_reason: reason }) => <StatusBadge status={status} title={reason?.text} />,
    },
    { id: 'user', title: t('templates.user'), render: describeStarter },
    {
      id: 'start',
      title: t('templates.start'),
      render: ({ start }) => (start === null ? <Dash /> : <TimeAgo time={start} short />),
    },
    {
      id: 'duration',
      title: t('templates.duration'),
      align: 'end',
      render: ({ start, end }) => <Duration start={start} end={end} />,
    },
  ];
}

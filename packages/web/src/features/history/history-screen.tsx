import { Button } from '@mantine/core';
import type { TaskItem } from '@signalbox/contract/tasks';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { useLiveFallback } from '../../lib/live.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useListStart, useTablePage } from '../../lib/table-search.ts';
import { projectTasksQuery, tasksAtOnce } from '../../lib/task-queries.ts';
import { useDashboardRights } from '../../lib/use-dashboard-rights.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { Dash } from '../../ui/dash.tsx';
import { DashboardHeader } from '../../ui/dashboard-header.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Duration } from '../../ui/duration.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListEnds } from '../../ui/list-ends.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { Pager, slicePage } from '../../ui/pager.tsx';
import { RowLink } from '../../ui/row-target.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './history.module.css';

export function HistoryScreen() {
  const projectId = useProjectId();
  const refetchInterval = useLiveFallback();
  const before = useListStart();
  const tasks = useQuery({ ...projectTasksQuery(projectId, { before }), refetchInterval });
  const [page, setPage] = useTablePage();
  const navigate = useNavigate();
  usePage(t('nav.dashboard'));
  const toTemplates = (): void =>
    void navigate({ to: '/project/$projectId/templates', params: { projectId: String(projectId) }, search: {} });
  return (
    <>
      <DashboardHeader tab="history" {...useDashboardRights(projectId)} />
      {tasks.error === null || tasks.data !== undefined ? (
        <DataTable
          label={t('history.title')}
          columns={listColumns(projectId)}
          rows={tasks.data === undefined ? undefined : slicePage(tasks.data, page)}
          rowKey={({ id }) => id}
          empty={
            before === undefined ? (
              <EmptyState
                icon={<IconHistory size={19} stroke={1.6} />}
                title={t('history.emptyTitle')}
                action={
                  <Button variant="primary" onClick={toTemplates}>
                    {t('history.toTemplates')}
                  </Button>
                }
              >
                {t('history.emptyText')}
              </EmptyState>
            ) : (
              <EmptyState icon={<IconHistory size={19} stroke={1.6} />} title={t('history.noOlder')} />
            )
          }
        />
      ) : (
        <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />
      )}
      <Pager page={page} total={tasks.data?.length ?? 0} onPage={setPage} />
      <ListEnds before={before} last={tasks.data?.[tasksAtOnce - 1]?.id} />
    </>
  );
}

const shownMessage = 50;

/** What was said at the launch; else the first line of the commit, as far as there is room. */
function describeTask({ message, commit_message: commit }: TaskItem): string {
  return message === '' ? commit.slice(0, shownMessage) : message;
}

function listColumns(projectId: number): Column<TaskItem>[] {
  const params = { projectId: String(projectId) };
  return [
    {
      id: 'task',
      title: t('history.task'),
      inList: 'title',
      render: (task) => (
        <NamedCell
          icon={<AppIcon app={task.tpl_app} />}
          beside={<span className={css.message}>{describeTask(task)}</span>}
        >
          <RowLink to="." search={(before: Record<string, unknown>) => ({ ...before, t: task.id })}>
            #{task.id}
          </RowLink>
          <Link
            className={css.template}
            to="/project/$projectId/templates/$templateId"
            params={{ ...params, templateId: String(task.template_id) }}
            search={{}}
          >
            {task.tpl_alias}
          </Link>
        </NamedCell>
      ),
    },
    { id: 'version', title: t('history.version'), mono: true, render: ({ version }) => version ?? <Dash /> },
    {
      id: 'status',
      title: t('history.status'),
      inList: 'side',
      render: ({ status, waiting_reason: reason }) => <StatusBadge status={status} title={reason?.text} />,
    },
    { id: 'user', title: t('history.user'), isSecondary: true, render: ({ user_name: name }) => name ?? <Dash /> },
    {
      id: 'start',
      title: t('history.start'),
      render: ({ start }) => (start === null ? <Dash /> : <TimeAgo time={start} short />),
    },
    {
      id: 'duration',
      title: t('history.duration'),
      align: 'end',
      render: ({ start, end }) => <Duration start={start} end={end} />,
    },
  ];
}

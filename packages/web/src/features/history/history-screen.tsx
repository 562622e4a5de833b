import type { TaskItem } from '@signalbox/contract/tasks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { describeStarter } from '../../lib/describe-starter.ts';
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
import { ErrorState } from '../../ui/error-state.tsx';
import { ListEnds } from '../../ui/list-ends.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { Pager, slicePage } from '../../ui/pager.tsx';
import { RowLink } from '../../ui/row-target.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { EmptyHistory } from './empty-history.tsx';
import css from './history.module.css';
import { StatusFilter } from './status-filter.tsx';
import { useStatusFilter } from './use-status-filter.ts';

export function HistoryScreen() {
  const projectId = useProjectId();
  const refetchInterval = useLiveFallback();
  const before = useListStart();
  const [status, setStatus] = useStatusFilter();
  const tasks = useQuery({ ...projectTasksQuery(projectId, { before, status }), refetchInterval });
  const [page, setPage] = useTablePage();
  usePage(t('nav.dashboard'));
  // A live message may have given a task of the list another status before the list is fetched anew.
  const rows = tasks.data?.filter((task) => status === undefined || task.status === status);
  return (
    <>
      <DashboardHeader tab="history" {...useDashboardRights(projectId)} />
      <div className={css.filters}>
        <StatusFilter status={status} onChange={setStatus} />
      </div>
      {tasks.error === null || rows !== undefined ? (
        <DataTable
          label={t('history.title')}
          columns={listColumns(projectId)}
          rows={rows && slicePage(rows, page)}
          rowKey={({ id }) => id}
          empty={
            <EmptyHistory
              projectId={projectId}
              isOlderPart={before !== undefined}
              onShowAll={status === undefined ? undefined : () => setStatus(undefined)}
            />
          }
        />
      ) : (
        <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />
      )}
      <Pager page={page} total={rows?.length ?? 0} onPage={setPage} />
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
          beside={
            <span className={css.message} title={task.message === '' ? task.commit_message : task.message}>
              {describeTask(task)}
            </span>
          }
        >
          <RowLink to="." search={(before: Record<string, unknown>) => ({ ...before, t: task.id })}>
            #{task.id}
          </RowLink>
          <Link
            className={css.template}
            to="/project/$projectId/templates/$templateId"
            params={{ ...params, templateId: String(task.template_id) }}
            search={{}}
            title={task.tpl_alias}
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
    { id: 'user', title: t('history.user'), isSecondary: true, render: describeStarter },
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

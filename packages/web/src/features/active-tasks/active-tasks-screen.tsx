import type { ActiveTask } from '@signalbox/contract/active-tasks';
import { IconChecks, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { AdminsOnly } from '../../ui/admins-only.tsx';
import { BackArrow } from '../../ui/back-arrow.tsx';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RowLink } from '../../ui/row-target.tsx';
import { showFailure } from '../../ui/snackbar.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { activeTasksQuery, useStopActiveTask } from './data.ts';

export function ActiveTasksScreen() {
  const { data: user } = useQuery(currentUserQuery);
  usePage(t('activeTasks.title'));
  if (user === undefined) return null;
  return (
    <>
      <PageHeader before={<BackArrow />} title={t('activeTasks.title')} />
      {user.admin ? <ActiveTaskTable /> : <AdminsOnly />}
    </>
  );
}

function ActiveTaskTable() {
  const tasks = useQuery(activeTasksQuery);
  const stop = useStopActiveTask();
  if (tasks.error !== null && tasks.data === undefined) {
    return <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />;
  }
  return (
    <PagedTable
      label={t('activeTasks.title')}
      columns={listColumns()}
      rows={tasks.data}
      rowKey={(task) => task.task_id}
      // As the server lists them: the queue first, then what runs.
      defaultSort={{ column: '', order: 'asc' }}
      renderActions={({ task_id: id, status }) => (
        <IconButton
          label={t('activeTasks.stopNamed', { id })}
          hint={t('activeTasks.stop')}
          reason={status === 'stopping' ? t('activeTasks.stopping') : undefined}
          isDisabled={stop.isPending && stop.variables === id}
          onClick={() => stop.mutate(id, { onError: showFailure })}
        >
          <IconPlayerStop size={17} stroke={1.7} />
        </IconButton>
      )}
      empty={
        <EmptyState icon={<IconChecks size={19} stroke={1.6} />} title={t('activeTasks.emptyTitle')}>
          {t('activeTasks.emptyText')}
        </EmptyState>
      }
    />
  );
}

/** Where a task is: in the queue, on a runner of its own machine, or on the one beside the server. */
function describeLocation({ location, runner_id: id }: ActiveTask): string {
  if (location === 'queue') return t('activeTasks.queue');
  return id === null ? t('activeTasks.local') : t('activeTasks.runner', { id });
}

function listColumns(): Column<ActiveTask>[] {
  return [
    {
      id: 'task',
      title: t('activeTasks.task'),
      inList: 'title',
      sortBy: (task) => task.task_id,
      render: (task) => (
        <RowLink
          to="/project/$projectId/tasks/$taskId"
          params={{ projectId: String(task.project_id), taskId: String(task.task_id) }}
          search={{}}
        >
          #{task.task_id}
        </RowLink>
      ),
    },
    {
      id: 'project',
      title: t('activeTasks.project'),
      sortBy: (task) => task.project_id,
      render: (task) => <span title={task.project_name}>{`${task.project_id} · ${task.project_name}`}</span>,
    },
    {
      id: 'username',
      title: t('activeTasks.username'),
      sortBy: ({ username }) => username,
      render: ({ username }) => username ?? <Dash />,
    },
    {
      id: 'status',
      title: t('activeTasks.status'),
      inList: 'side',
      sortBy: ({ status }) => status,
      render: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'location',
      title: t('activeTasks.location'),
      sortBy: describeLocation,
      render: (task) => <span title={task.runner_name ?? undefined}>{describeLocation(task)}</span>,
    },
  ];
}

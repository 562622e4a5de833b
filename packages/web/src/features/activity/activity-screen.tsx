import type { Event } from '@signalbox/contract/events';
import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useTablePage } from '../../lib/table-search.ts';
import { useDashboardRights } from '../../lib/use-dashboard-rights.ts';
import { Dash } from '../../ui/dash.tsx';
import { DashboardHeader } from '../../ui/dashboard-header.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Pager, slicePage } from '../../ui/pager.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { eventsQuery } from './data.ts';

export function ActivityScreen() {
  const projectId = useProjectId();
  const events = useQuery(eventsQuery(projectId));
  const [page, setPage] = useTablePage();
  usePage(t('dashboard.activity'));
  // An event has no id of its own; its place in the list, counted from the oldest, stays the same while new ones come.
  const numbered = events.data?.map((event, index, all) => ({ ...event, number: all.length - index }));
  return (
    <>
      <DashboardHeader tab="activity" {...useDashboardRights(projectId)} />
      {events.error === null || numbered !== undefined ? (
        <DataTable
          label={t('dashboard.activity')}
          columns={listColumns()}
          rows={numbered === undefined ? undefined : slicePage(numbered, page)}
          rowKey={({ number }) => number}
          empty={
            <EmptyState icon={<IconActivity size={19} stroke={1.6} />} title={t('activity.emptyTitle')}>
              {t('activity.emptyText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={events.error} onRetry={() => void events.refetch()} />
      )}
      <Pager page={page} total={numbered?.length ?? 0} onPage={setPage} />
    </>
  );
}

function listColumns(): Column<Event & { number: number }>[] {
  return [
    {
      id: 'time',
      title: t('activity.time'),
      width: 180,
      inList: 'note',
      render: ({ created }) => <TimeAgo time={created} />,
    },
    {
      id: 'user',
      title: t('activity.user'),
      width: 200,
      inList: 'note',
      render: ({ username }) => username ?? <Dash />,
    },
    {
      id: 'description',
      title: t('activity.description'),
      inList: 'title',
      render: ({ description }) => <span style={{ fontWeight: 400 }}>{description}</span>,
    },
  ];
}

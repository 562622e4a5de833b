import type { Event } from '@signalbox/contract/events';
import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useListStart, useTablePage } from '../../lib/table-search.ts';
import { useDashboardRights } from '../../lib/use-dashboard-rights.ts';
import { Dash } from '../../ui/dash.tsx';
import { DashboardHeader } from '../../ui/dashboard-header.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListEnds } from '../../ui/list-ends.tsx';
import { Pager, slicePage } from '../../ui/pager.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { eventsAtOnce, eventsQuery } from './data.ts';
import { EventText } from './object-link.tsx';
import { listGone, nameObject } from './object-place.ts';

const icon = <IconActivity size={19} stroke={1.6} />;

export function ActivityScreen() {
  const projectId = useProjectId();
  const before = useListStart();
  const events = useQuery(eventsQuery(projectId, before));
  const [page, setPage] = useTablePage();
  usePage(t('dashboard.activity'));
  return (
    <>
      <DashboardHeader tab="activity" {...useDashboardRights(projectId)} />
      {events.error === null || events.data !== undefined ? (
        <DataTable
          label={t('dashboard.activity')}
          columns={listColumns(events.data ?? [])}
          rows={events.data === undefined ? undefined : slicePage(events.data, page)}
          rowKey={({ id }) => id}
          empty={
            before === undefined ? (
              <EmptyState icon={icon} title={t('activity.emptyTitle')}>
                {t('activity.emptyText')}
              </EmptyState>
            ) : (
              <EmptyState icon={icon} title={t('activity.noOlder')} />
            )
          }
        />
      ) : (
        <ErrorState error={events.error} onRetry={() => void events.refetch()} />
      )}
      <Pager page={page} total={events.data?.length ?? 0} onPage={setPage} />
      <ListEnds before={before} last={events.data?.[eventsAtOnce - 1]?.id} />
    </>
  );
}

function listColumns(events: readonly Event[]): Column<Event>[] {
  const gone = listGone(events);
  const columns: Column<Event>[] = [
    {
      id: 'time',
      title: t('activity.time'),
      width: 190,
      inList: 'note',
      render: ({ created }) => <TimeAgo time={created} />,
    },
    {
      id: 'user',
      title: t('activity.user'),
      width: 200,
      inList: 'note',
      render: ({ username }) => (username === null ? <Dash /> : <span title={username}>{username}</span>),
    },
    {
      id: 'description',
      title: t('activity.description'),
      inList: 'title',
      render: (event) => (
        <span style={{ fontWeight: 400 }}>
          <EventText event={event} isGone={gone.has(nameObject(event))} />
        </span>
      ),
    },
  ];
  // Only administrators are told addresses.
  if (!events.some(({ address }) => address !== undefined)) return columns;
  const address: Column<Event> = {
    id: 'address',
    title: t('activity.address'),
    width: 170,
    mono: true,
    isSecondary: true,
    render: ({ address }) => (address === undefined || address === '' ? <Dash /> : address),
  };
  return [...columns, address];
}

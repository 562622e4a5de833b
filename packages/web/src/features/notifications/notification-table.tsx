import type { Notification } from '@signalbox/contract/notifications';
import { IconBell } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { useTablePage } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListEnds } from '../../ui/list-ends.tsx';
import { Pager, slicePage } from '../../ui/pager.tsx';
import { notificationsAtOnce } from './data.ts';
import { listNotificationColumns } from './notification-columns.tsx';

type NotificationTableProps = {
  notifications: Pick<UseQueryResult<Notification[]>, 'data' | 'error' | 'refetch'>;
  before: number | undefined;
  hasProject?: boolean;
};

export function NotificationTable({ notifications, before, hasProject = false }: NotificationTableProps) {
  const { data: rows, error } = notifications;
  const [page, setPage] = useTablePage();
  if (error !== null && rows === undefined) {
    return <ErrorState error={error} onRetry={() => void notifications.refetch()} />;
  }
  return (
    <>
      <DataTable
        label={t('notifications.title')}
        columns={listNotificationColumns(hasProject)}
        rows={rows && slicePage(rows, page)}
        rowKey={({ id }) => id}
        hasFixedWidths
        empty={
          <EmptyState icon={<IconBell size={19} stroke={1.6} />} title={t('notifications.emptyTitle')}>
            {t('notifications.emptyText')}
          </EmptyState>
        }
      />
      <Pager page={page} total={rows?.length ?? 0} onPage={setPage} />
      <ListEnds before={before} last={rows?.[notificationsAtOnce - 1]?.id} />
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { useListStart } from '../../lib/table-search.ts';
import { AdminsOnly } from '../../ui/admins-only.tsx';
import { BackArrow } from '../../ui/back-arrow.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { allNotificationsQuery } from './data.ts';
import { NotificationTable } from './notification-table.tsx';

/** Messages about the tasks of all projects, for administrators. */
export function AllNotificationsScreen() {
  const { data: user } = useQuery(currentUserQuery);
  usePage(t('notifications.title'));
  if (user === undefined) return null;
  return user.admin ? <AllNotifications /> : <AdminsOnly />;
}

function AllNotifications() {
  const before = useListStart();
  const notifications = useQuery(allNotificationsQuery(before));
  return (
    <>
      <PageHeader before={<BackArrow />} title={t('notifications.title')} />
      <NotificationTable notifications={notifications} before={before} hasProject />
    </>
  );
}

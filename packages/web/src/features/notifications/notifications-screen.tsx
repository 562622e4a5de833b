import { Button } from '@mantine/core';
import { IconLock, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { projectsQuery, useProjectAccess } from '../../lib/session.ts';
import { useListStart } from '../../lib/table-search.ts';
import { MessagePanel } from '../../ui/message-panel.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { projectNotificationsQuery, useTestNotifications } from './data.ts';
import { NotificationTable } from './notification-table.tsx';
import css from './notifications.module.css';
import { TestOutcome } from './test-outcome.tsx';

export function NotificationsScreen() {
  const projectId = useProjectId();
  const canUpdate = useProjectAccess(projectId).can('update');
  usePage(t('notifications.title'), [
    {
      label: t('dashboard.settings'),
      link: { to: '/project/$projectId/settings', params: { projectId: String(projectId) } },
    },
  ]);
  if (canUpdate) return <ProjectNotifications projectId={projectId} />;
  return (
    <>
      <PageHeader title={t('notifications.title')} />
      <MessagePanel icon={<IconLock size={19} stroke={1.6} />} title={t('notifications.noRight')}>
        {t('notifications.noRightText')}
      </MessagePanel>
    </>
  );
}

function ProjectNotifications({ projectId }: { projectId: number }) {
  const before = useListStart();
  const notifications = useQuery(projectNotificationsQuery(projectId, before));
  const { data: projects } = useQuery(projectsQuery);
  const test = useTestNotifications(projectId);
  const project = projects?.find(({ id }) => id === projectId);
  return (
    <>
      <PageHeader
        title={t('notifications.title')}
        actions={
          <Button
            variant="primary"
            leftSection={<IconSend size={17} stroke={1.7} />}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            {t('notifications.sendTest')}
          </Button>
        }
      />
      {project?.alert === false ? (
        <p className={css.note}>
          {t('notifications.off')}{' '}
          <Link
            className={css.link}
            to="/project/$projectId/settings"
            params={{ projectId: String(projectId) }}
            search={{}}
          >
            {t('notifications.toSettings')}
          </Link>
        </p>
      ) : null}
      <TestOutcome outcome={test.data} error={test.error} />
      <NotificationTable notifications={notifications} before={before} />
    </>
  );
}

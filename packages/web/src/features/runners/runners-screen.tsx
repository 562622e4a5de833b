import { IconServerOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { currentUserQuery, projectsQuery, systemQuery } from '../../lib/session.ts';
import { AdminsOnly } from '../../ui/admins-only.tsx';
import { BackArrow } from '../../ui/back-arrow.tsx';
import { MessagePanel } from '../../ui/message-panel.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { NewRunnerButtons } from './new-runner-buttons.tsx';
import { RunnerList } from './runner-list.tsx';

/** The registered runners of the whole server. */
export function RunnersScreen() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: system } = useQuery(systemQuery);
  const { data: projects } = useQuery(projectsQuery);
  usePage(t('runners.title'));
  if (user === undefined || system === undefined) return null;
  const isUsable = user.admin && system.use_remote_runner;
  return (
    <>
      <PageHeader
        before={<BackArrow />}
        title={t('runners.title')}
        actions={isUsable ? <NewRunnerButtons projectId={undefined} /> : undefined}
      />
      {user.admin ? null : <AdminsOnly />}
      {user.admin && !isUsable ? <RunnersOff /> : null}
      {isUsable ? (
        <RunnerList
          projectId={undefined}
          projects={new Map(projects?.map(({ id, name }) => [id, name]))}
          reason={undefined}
        />
      ) : null}
    </>
  );
}

/** The server runs every task with the runner beside it. */
function RunnersOff() {
  return (
    <MessagePanel icon={<IconServerOff size={19} stroke={1.6} />} title={t('runners.offTitle')}>
      {t('runners.offText')}
    </MessagePanel>
  );
}

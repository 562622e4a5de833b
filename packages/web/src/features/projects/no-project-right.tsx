import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { projectsQuery } from '../../lib/session.ts';
import { MessagePanel } from '../../ui/message-panel.tsx';

/** For those who may create no project: there is nothing to fill in here. */
export function NoProjectRight() {
  const { data: projects = [] } = useQuery(projectsQuery);
  const hasNone = projects.length === 0;
  return (
    <MessagePanel icon={<IconLock size={19} stroke={1.6} />} title={t(hasNone ? 'projects.none' : 'projects.noRight')}>
      {t(hasNone ? 'projects.noneText' : 'projects.noRightText')}
    </MessagePanel>
  );
}

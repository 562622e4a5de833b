import { IconDiamond } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { projectsQuery, systemQuery, useProjectAccess } from '../../lib/session.ts';
import { DashboardHeader } from '../../ui/dashboard-header.tsx';
import { NewRunnerButtons } from './new-runner-buttons.tsx';
import { RunnerList } from './runner-list.tsx';
import css from './runners.module.css';

/** The runners of one project, as a tab of its dashboard. */
export function ProjectRunnersScreen() {
  const projectId = useProjectId();
  const { data: projects } = useQuery(projectsQuery);
  const { data: system } = useQuery(systemQuery);
  const access = useProjectAccess(projectId);
  usePage(t('runners.title'));
  const isOffered = system?.premium_features.project_runners === true && system.use_remote_runner;
  const reason = giveReason(isOffered, access.can('resources'));
  const isStandard = projects?.find(({ id }) => id === projectId)?.type === '';
  const buttons = reason === undefined ? <NewRunnerButtons projectId={projectId} /> : undefined;
  return (
    <>
      <DashboardHeader tab="runners" canUpdate={access.can('update')} isStandard={isStandard} />
      {system === undefined || isOffered ? null : (
        <div className={css.notice} role="note">
          <IconDiamond size={17} stroke={1.7} aria-hidden />
          {t('runners.premium')}
        </div>
      )}
      {buttons === undefined ? null : <div className={css.buttons}>{buttons}</div>}
      <RunnerList projectId={projectId} reason={reason} />
    </>
  );
}

function giveReason(isOffered: boolean, canManage: boolean): string | undefined {
  if (!isOffered) return t('runners.premium');
  return canManage ? undefined : t('ui.readOnly');
}

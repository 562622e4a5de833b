import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { projectsQuery } from '../../lib/session.ts';
import { useDashboardRights } from '../../lib/use-dashboard-rights.ts';
import { DashboardHeader } from '../../ui/dashboard-header.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Tag } from '../../ui/tag.tsx';
import { BackupSection } from './backup-section.tsx';
import { DangerZone } from './danger-zone.tsx';
import css from './projects.module.css';
import { SettingsForm } from './settings-form.tsx';

export function SettingsScreen() {
  const projectId = useProjectId();
  const projects = useQuery(projectsQuery);
  const project = projects.data?.find(({ id }) => id === projectId);
  const rights = useDashboardRights(projectId);
  usePage(t('projects.settings'));
  return (
    <>
      <DashboardHeader tab="settings" {...rights} />
      {projects.error === null ? null : <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />}
      {project === undefined ? null : (
        <div className={css.sections}>
          {rights.canUpdate ? null : (
            <p>
              <Tag>{t('ui.readOnly')}</Tag>
            </p>
          )}
          <SettingsForm key={project.id} project={project} canChange={rights.canUpdate} />
          {rights.canUpdate ? (
            <>
              <section className={css.section} aria-labelledby="notifications">
                <h2 id="notifications">{t('projects.notifications')}</h2>
                <p>{t(project.alert ? 'projects.notificationsOn' : 'projects.notificationsOff')}</p>
                <Link
                  className={css.link}
                  to="/project/$projectId/notifications"
                  params={{ projectId: String(projectId) }}
                  search={{}}
                >
                  {t('projects.toNotifications')}
                </Link>
              </section>
              <BackupSection projectId={projectId} />
              <DangerZone project={project} />
            </>
          ) : null}
        </div>
      )}
    </>
  );
}

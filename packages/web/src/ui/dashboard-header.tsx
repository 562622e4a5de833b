import { Link, type LinkProps } from '@tanstack/react-router';
import { type MessageKey, t } from '../lib/i18n.ts';
import { useProjectId } from '../lib/project-id.ts';
import { PageHeader } from './page-header.tsx';
import css from './tab-links.module.css';

export type DashboardTab = 'history' | 'stats' | 'runners' | 'activity' | 'settings';

type DashboardHeaderProps = { tab: DashboardTab; canUpdate: boolean; isStandard: boolean };

const tabs: { id: DashboardTab; label: MessageKey; to: NonNullable<LinkProps['to']> }[] = [
  { id: 'history', label: 'dashboard.history', to: '/project/$projectId/history' },
  { id: 'stats', label: 'dashboard.stats', to: '/project/$projectId/stats' },
  { id: 'runners', label: 'dashboard.runners', to: '/project/$projectId/runners' },
  { id: 'activity', label: 'dashboard.activity', to: '/project/$projectId/activity' },
  { id: 'settings', label: 'dashboard.settings', to: '/project/$projectId/settings' },
];

const standardOnly: ReadonlySet<DashboardTab> = new Set(['history', 'stats', 'runners']);

/** Title and tabs of the dashboard. History and statistics are for standard projects, settings for those who may change them. */
export function DashboardHeader({ tab, canUpdate, isStandard }: DashboardHeaderProps) {
  const projectId = String(useProjectId());
  const shown = tabs.filter(({ id }) => (isStandard || !standardOnly.has(id)) && (id !== 'settings' || canUpdate));
  return (
    <>
      <PageHeader title={t('nav.dashboard')} />
      <nav className={css.tabs} aria-label={t('nav.dashboard')}>
        {shown.map(({ id, label, to }) => (
          <Link
            key={id}
            to={to}
            params={{ projectId }}
            search={{}}
            className={css.tab}
            data-active={id === tab || undefined}
          >
            {t(label)}
          </Link>
        ))}
      </nav>
    </>
  );
}

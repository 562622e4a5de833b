import {
  IconCalendarTime,
  IconGitBranch,
  IconKey,
  IconLayoutDashboard,
  IconServer2,
  IconTemplate,
  IconVariable,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { projectsQuery } from '../../lib/session.ts';
import css from './shell.module.css';

type NavLink = {
  label: MessageKey;
  to: NonNullable<LinkProps['to']>;
  icon: typeof IconKey;
  isStandardOnly: boolean;
  /** Last parts of the other addresses that belong to the entry. */
  alsoAt?: string[];
};

/** Only places that exist are linked; the rest of the menu comes with its screens. */
const links: NavLink[] = [
  {
    label: 'nav.dashboard',
    to: '/project/$projectId/history',
    icon: IconLayoutDashboard,
    isStandardOnly: false,
    alsoAt: ['activity', 'settings'],
  },
  {
    label: 'nav.templates',
    to: '/project/$projectId/templates',
    icon: IconTemplate,
    isStandardOnly: true,
    alsoAt: ['templates', 'views', 'tasks'],
  },
  { label: 'nav.schedule', to: '/project/$projectId/schedule', icon: IconCalendarTime, isStandardOnly: true },
  { label: 'nav.inventory', to: '/project/$projectId/inventory', icon: IconServer2, isStandardOnly: true },
  { label: 'nav.environment', to: '/project/$projectId/environment', icon: IconVariable, isStandardOnly: true },
  { label: 'nav.keys', to: '/project/$projectId/keys', icon: IconKey, isStandardOnly: true },
  { label: 'nav.repositories', to: '/project/$projectId/repositories', icon: IconGitBranch, isStandardOnly: true },
];

export function NavLinks({ projectId }: { projectId: number }) {
  const { data: projects } = useQuery(projectsQuery);
  // The part after /project/{id}.
  const part = useLocation({ select: ({ pathname }) => pathname.split('/')[3] ?? '' });
  const [lastView] = usePreference('lastView');
  const viewId = lastView[String(projectId)];
  const isStandard = (projects?.find(({ id }) => id === projectId)?.type ?? '') === '';
  return (
    <nav className={css.links} aria-label={t('nav.label')}>
      {links
        .filter((link) => isStandard || !link.isStandardOnly)
        .map(({ label, to, icon: Icon, alsoAt }) => (
          <Link
            key={to}
            {...chooseAddress(to, projectId, viewId)}
            className={css.link}
            data-here={alsoAt?.includes(part) || undefined}
          >
            <Icon size={17} stroke={1.7} aria-hidden />
            {t(label)}
          </Link>
        ))}
    </nav>
  );
}

/** The list of templates opens with the view that was seen last in the project. */
function chooseAddress(to: NavLink['to'], projectId: number, viewId: number | undefined): LinkProps {
  const params = { projectId: String(projectId) };
  if (viewId === undefined || to !== '/project/$projectId/templates') return { to, params, search: {} };
  return {
    to: '/project/$projectId/views/$viewId/templates',
    params: { ...params, viewId: String(viewId) },
    search: {},
  };
}

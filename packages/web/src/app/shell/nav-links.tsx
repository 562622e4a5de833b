import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { useReachablePages } from '../use-pages.ts';
import css from './shell.module.css';

export function NavLinks({ projectId }: { projectId: number }) {
  const { ofProject } = useReachablePages(projectId);
  // The part after /project/{id}.
  const part = useLocation({ select: ({ pathname }) => pathname.split('/')[3] ?? '' });
  const [lastView] = usePreference('lastView');
  const viewId = lastView[String(projectId)];
  return (
    <nav className={css.links} aria-label={t('nav.label')}>
      {ofProject
        .filter(({ isInDrawer }) => isInDrawer)
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
function chooseAddress(to: string, projectId: number, viewId: number | undefined): LinkProps {
  const params = { projectId: String(projectId) };
  // The paths of the table are those of routes that are there.
  if (viewId === undefined || to !== '/project/$projectId/templates') return { to, params, search: {} } as LinkProps;
  return {
    to: '/project/$projectId/views/$viewId/templates',
    params: { ...params, viewId: String(viewId) },
    search: {},
  };
}

import type { Template } from '@signalbox/contract/templates';
import type { View } from '@signalbox/contract/views';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import tabs from '../../ui/tab-links.module.css';
import { linkToList } from './use-view.ts';
import css from './views.module.css';

type ViewTabsProps = {
  projectId: number;
  viewId: number | undefined;
  views: readonly View[];
  templates: readonly Template[] | undefined;
};

/** All templates, or those of one view; each tab with how many it has. */
export function ViewTabs({ projectId, viewId, views, templates }: ViewTabsProps) {
  const entries = [{ id: undefined, title: t('views.all') }, ...views];
  return (
    <nav className={tabs.tabs} aria-label={t('views.label')}>
      {entries.map(({ id, title }) => (
        <Link
          key={id ?? 'all'}
          {...linkToList(projectId, id)}
          // The filter is kept from tab to tab, as the sort is.
          search={({ q, app, status, sort, order }: Record<string, unknown>) => ({ q, app, status, sort, order })}
          className={tabs.tab}
          aria-current={id === viewId ? 'page' : undefined}
          data-active={id === viewId || undefined}
        >
          {title}
          {templates === undefined ? null : <span className={css.count}>{countTemplates(templates, id)}</span>}
        </Link>
      ))}
    </nav>
  );
}

function countTemplates(templates: readonly Template[], viewId: number | undefined): number {
  return viewId === undefined ? templates.length : templates.filter(({ view_id: id }) => id === viewId).length;
}

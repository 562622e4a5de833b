import { type LinkProps, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { changePreferences, readPreferences } from '../../lib/preferences.ts';

/** Id of the view of the address; undefined where all templates are listed. */
export function useViewId(): number | undefined {
  const { viewId } = useParams({ strict: false }) as { viewId?: string };
  return viewId === undefined || !/^\d+$/.test(viewId) ? undefined : Number(viewId);
}

/** Remembers which view of a project was seen last; the drawer leads back to it. */
export function useLastView(projectId: number, viewId: number | undefined): void {
  useEffect(() => {
    const { [String(projectId)]: before, ...others } = readPreferences().lastView;
    if (before === viewId) return;
    changePreferences({ lastView: viewId === undefined ? others : { ...others, [String(projectId)]: viewId } });
  }, [projectId, viewId]);
}

/** The list of a view, or of all. */
export function linkToList(projectId: number, viewId: number | undefined): LinkProps {
  const params = { projectId: String(projectId) };
  return viewId === undefined
    ? { to: '/project/$projectId/templates', params, search: {} }
    : {
        to: '/project/$projectId/views/$viewId/templates',
        params: { ...params, viewId: String(viewId) },
        search: {},
      };
}

export type TemplateTab = 'tasks' | 'details' | 'state';

/** A tab of a template, below the view from which it is opened. */
export function linkToTemplate(
  projectId: number,
  viewId: number | undefined,
  templateId: number,
  tab: TemplateTab = 'tasks',
): LinkProps {
  const params = { projectId: String(projectId), templateId: String(templateId) };
  return viewId === undefined
    ? { to: `/project/$projectId/templates/$templateId/${tab}`, params, search: {} }
    : {
        to: `/project/$projectId/views/$viewId/templates/$templateId/${tab}`,
        params: { ...params, viewId: String(viewId) },
        search: {},
      };
}

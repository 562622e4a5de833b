import type { Event } from '@signalbox/contract/events';
import { Link, type LinkProps } from '@tanstack/react-router';
import css from './activity.module.css';
import { splitDescription } from './object-place.ts';

type Place = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** Where an object of the project is shown; undefined for what has no screen of its own. */
function findPlace({ project_id: projectId, object_type: type, object_id: id }: Event): Place | undefined {
  if (projectId === null || id === null) return undefined;
  const params = { projectId: String(projectId) };
  const edit = { edit: id };
  switch (type) {
    case 'task':
      return { to: '.', search: (before: Record<string, unknown>) => ({ ...before, t: id }) };
    case 'template':
      return {
        to: '/project/$projectId/templates/$templateId',
        params: { ...params, templateId: String(id) },
        search: {},
      };
    case 'inventory':
      return { to: '/project/$projectId/inventory', params, search: edit };
    case 'environment':
      return { to: '/project/$projectId/environment', params, search: edit };
    case 'key':
      return { to: '/project/$projectId/keys', params, search: edit };
    case 'repository':
      return { to: '/project/$projectId/repositories', params, search: edit };
    case 'schedule':
      return { to: '/project/$projectId/schedule', params, search: edit };
    case 'integration':
      return {
        to: '/project/$projectId/integrations/$integrationId',
        params: { ...params, integrationId: String(id) },
        search: {},
      };
    case 'runner':
      return { to: '/project/$projectId/runners', params, search: {} };
    case 'view':
      return { to: '/project/$projectId/templates', params, search: {} };
    case 'user':
      return { to: '/project/$projectId/team', params, search: {} };
    case 'project':
      return { to: '/project/$projectId/history', params, search: {} };
    default:
      return undefined;
  }
}

/** What happened, with a link to what it happened to. `isGone`: it was deleted since, so that there is no place to go to. */
export function EventText({ event, isGone }: { event: Event; isGone: boolean }) {
  const place = isGone ? undefined : findPlace(event);
  const [before, name, after] = splitDescription(event);
  if (place === undefined || name === '') return <span title={event.description}>{event.description}</span>;
  return (
    <span title={event.description}>
      {before}
      <Link className={css.object} {...place}>
        {name}
      </Link>
      {after}
    </span>
  );
}

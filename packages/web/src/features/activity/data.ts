import { eventRoutes } from '@signalbox/contract/events';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';

/** As many events as the server gives at once. */
export const eventsAtOnce = 200;

/** The latest events of a project, or those before one of them. */
export function eventsQuery(projectId: number, before: number | undefined) {
  const query = { limit: String(eventsAtOnce), ...(before === undefined ? {} : { before: String(before) }) };
  return queryOptions({
    queryKey: projectKey(projectId, 'events', query),
    queryFn: ({ signal }) => call(eventRoutes.lastOfProject, { params: { project_id: projectId }, query, signal }),
  });
}

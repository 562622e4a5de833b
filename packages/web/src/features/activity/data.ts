import { eventRoutes } from '@signalbox/contract/events';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';

/** The latest events of a project. */
export function eventsQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'events'),
    queryFn: ({ signal }) => call(eventRoutes.lastOfProject, { params: { project_id: projectId }, signal }),
  });
}

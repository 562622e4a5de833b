import { statsRoutes } from '@signalbox/contract/stats';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';

type StatsPart = { start: string; userId: number | undefined; zone: string };

/** Ended tasks of a project by day, from a day on. */
export function statsQuery(projectId: number, { start, userId, zone }: StatsPart) {
  const query = { start, tz: zone, ...(userId === undefined ? {} : { user_id: String(userId) }) };
  return queryOptions({
    queryKey: projectKey(projectId, 'stats', query),
    queryFn: ({ signal }) => call(statsRoutes.ofProject, { params: { project_id: projectId }, query, signal }),
  });
}

import { appRoutes } from '@signalbox/contract/apps';
import { environmentRoutes } from '@signalbox/contract/environments';
import { inventoryRoutes } from '@signalbox/contract/inventories';
import { keyRoutes } from '@signalbox/contract/keys';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import { teamRoutes } from '@signalbox/contract/team';
import { templateRoutes } from '@signalbox/contract/templates';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api.ts';
import { projectKey, sessionKey } from './query-keys.ts';

// Lists that more than one feature shows: a form chooses from what another screen keeps.

export function keysQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'keys'),
    queryFn: ({ signal }) => call(keyRoutes.list, { params: { project_id: projectId }, signal }),
  });
}

export function repositoriesQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'repositories'),
    queryFn: ({ signal }) => call(repositoryRoutes.list, { params: { project_id: projectId }, signal }),
  });
}

export function inventoriesQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'inventories'),
    queryFn: ({ signal }) => call(inventoryRoutes.list, { params: { project_id: projectId }, signal }),
  });
}

export function environmentsQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'environments'),
    queryFn: ({ signal }) => call(environmentRoutes.list, { params: { project_id: projectId }, signal }),
  });
}

export function templatesQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'templates'),
    queryFn: ({ signal }) => call(templateRoutes.list, { params: { project_id: projectId }, signal }),
  });
}

/** The team of a project. */
export function membersQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'users'),
    queryFn: ({ signal }) =>
      call(teamRoutes.list, { params: { project_id: projectId }, query: { sort: 'name', order: 'asc' }, signal }),
  });
}

/** All apps, inactive ones too, highest priority first. */
export const appsQuery = queryOptions({
  queryKey: [...sessionKey, 'apps'],
  queryFn: ({ signal }) => call(appRoutes.list, { signal }),
  staleTime: 60_000,
});

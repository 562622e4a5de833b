import type { Permission } from '@signalbox/contract/http/route';
import { grants, type Role } from '@signalbox/contract/permissions';
import { projectRoutes } from '@signalbox/contract/projects';
import { systemRoutes } from '@signalbox/contract/system';
import { userRoutes } from '@signalbox/contract/users';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { projectKey, sessionKey } from './query-keys.ts';

const MINUTE = 60_000;

/** Who is signed in. Fails with status 401 where nobody is. */
export const currentUserQuery = queryOptions({
  queryKey: [...sessionKey, 'user'],
  queryFn: ({ signal }) => call(userRoutes.current, { signal }),
  staleTime: 5 * MINUTE,
});

/** Version, features and the tools that the runners have. */
export const systemQuery = queryOptions({
  queryKey: [...sessionKey, 'system'],
  queryFn: ({ signal }) => call(systemRoutes.state, { signal }),
  staleTime: MINUTE,
});

export const projectsQuery = queryOptions({
  queryKey: [...sessionKey, 'projects'],
  queryFn: ({ signal }) => call(projectRoutes.list, { signal }),
  staleTime: MINUTE,
});

export function roleQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'role'),
    queryFn: ({ signal }) => call(projectRoutes.role, { params: { project_id: projectId }, signal }),
    staleTime: MINUTE,
  });
}

export type ProjectAccess = Role & {
  isAdmin: boolean;
  /** Whether a route with this permission would let the caller in. Unknown yet counts as no. */
  can: (permission: Permission) => boolean;
};

/** What the signed-in user may do in a project; administrators pass every check. */
export function useProjectAccess(projectId: number): ProjectAccess {
  const { data: user } = useQuery(currentUserQuery);
  const { data: role } = useQuery(roleQuery(projectId));
  const isAdmin = user?.admin ?? false;
  const held = role ?? { role: '' as const, permissions: 0 };
  return { ...held, isAdmin, can: (permission) => isAdmin || grants(held.permissions, permission) };
}

import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { openNewProject, readSignInState, requireUser } from './session-guard.ts';

export type RouterContext = { queryClient: QueryClient };

/**
 * What any address may carry: `t` is the task whose log is open, `new_project` opens the form for a project. The rest is
 * left to the screens, which read it member by member.
 */
export type RootSearch = { t?: number | undefined; new_project?: string | undefined; [name: string]: unknown };

function readRootSearch(search: Record<string, unknown>): RootSearch {
  const { t, new_project: newProject, ...rest } = search;
  const task = Number(t);
  return {
    ...rest,
    ...(Number.isInteger(task) && task > 0 ? { t: task } : {}),
    ...(newProject === undefined ? {} : { new_project: String(newProject) }),
  };
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  validateSearch: readRootSearch,
});

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/login',
  beforeLoad: async ({ context, search }) => ({ signIn: await readSignInState(context.queryClient, search) }),
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
});

/** Everything that needs a signed-in user, inside the shell. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    await requireUser(context.queryClient, location);
    openNewProject(location);
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});

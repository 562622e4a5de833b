import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from './root-route.tsx';

// The screens of the whole server, and those of one's own account.

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users',
  component: lazyRouteComponent(() => import('../features/users/users-screen.tsx'), 'UsersScreen'),
});

const activeTasksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/tasks',
  component: lazyRouteComponent(() => import('../features/active-tasks/active-tasks-screen.tsx'), 'ActiveTasksScreen'),
});

const runnersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/runners',
  component: lazyRouteComponent(() => import('../features/runners/runners-screen.tsx'), 'RunnersScreen'),
});

const appsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/apps',
  component: lazyRouteComponent(() => import('../features/apps/apps-screen.tsx'), 'AppsScreen'),
});

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/tokens',
  component: lazyRouteComponent(() => import('../features/tokens/tokens-screen.tsx'), 'TokensScreen'),
});

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/notifications',
  component: lazyRouteComponent(
    () => import('../features/notifications/all-notifications-screen.tsx'),
    'AllNotificationsScreen',
  ),
});

export const serverRoutes = [
  notificationsRoute,
  usersRoute,
  activeTasksRoute,
  runnersRoute,
  appsRoute,
  tokensRoute,
] as const;

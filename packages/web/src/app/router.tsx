import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readBasePath } from '../lib/base-path.ts';
import { ErrorPage } from './error-page.tsx';
import { LoadingPage } from './loading-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { projectRoute } from './project-route.ts';
import { createQueryClient } from './query-client.ts';
import { loginRoute, rootRoute, signedInRoute } from './root-route.tsx';
import { serverRoutes } from './server-routes.ts';
import { openSomeProject } from './session-guard.ts';
import { templateRoutes } from './template-routes.ts';

const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: ({ context, search }) => openSomeProject(context.queryClient, search),
});

const newProjectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/project/new',
  component: lazyRouteComponent(() => import('../features/projects/new-project-screen.tsx'), 'NewProjectScreen'),
});

const restoreProjectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/project/restore',
  component: lazyRouteComponent(() => import('../features/projects/restore-screen.tsx'), 'RestoreScreen'),
});

/** Where a sign-in with a provider ends that was begun for a project with premium features. */
const premiumRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/project/premium',
  beforeLoad: ({ search }) => {
    throw newProjectRoute.redirect({ search });
  },
});

const projectStartRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    throw historyRoute.redirect({ params, search });
  },
});

const historyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/history',
  component: lazyRouteComponent(() => import('../features/history/history-screen.tsx'), 'HistoryScreen'),
});

const statsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/stats',
  component: lazyRouteComponent(() => import('../features/stats/stats-screen.tsx'), 'StatsScreen'),
});

const projectRunnersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/runners',
  component: lazyRouteComponent(() => import('../features/runners/project-runners-screen.tsx'), 'ProjectRunnersScreen'),
});

const activityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/activity',
  component: lazyRouteComponent(() => import('../features/activity/activity-screen.tsx'), 'ActivityScreen'),
});

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/projects/settings-screen.tsx'), 'SettingsScreen'),
});

const notificationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/notifications',
  component: lazyRouteComponent(
    () => import('../features/notifications/notifications-screen.tsx'),
    'NotificationsScreen',
  ),
});

const teamRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/team',
  component: lazyRouteComponent(() => import('../features/team/team-screen.tsx'), 'TeamScreen'),
});

const schedulesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/schedule',
  component: lazyRouteComponent(() => import('../features/schedules/schedules-screen.tsx'), 'SchedulesScreen'),
});

const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('../features/keys/keys-screen.tsx'), 'KeysScreen'),
});

const repositoriesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/repositories',
  component: lazyRouteComponent(() => import('../features/repositories/repositories-screen.tsx'), 'RepositoriesScreen'),
});

const integrationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/integrations',
  component: lazyRouteComponent(() => import('../features/integrations/integrations-screen.tsx'), 'IntegrationsScreen'),
});

const integrationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/integrations/$integrationId',
  component: lazyRouteComponent(() => import('../features/integrations/integration-screen.tsx'), 'IntegrationScreen'),
});

const inventoriesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/inventory',
  component: lazyRouteComponent(() => import('../features/inventories/inventories-screen.tsx'), 'InventoriesScreen'),
});

const environmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/environment',
  component: lazyRouteComponent(() => import('../features/environments/environments-screen.tsx'), 'EnvironmentsScreen'),
});

const taskRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/tasks/$taskId',
  component: lazyRouteComponent(() => import('./task-page.tsx'), 'TaskPage'),
});

const routeTree = rootRoute.addChildren([
  loginRoute,
  signedInRoute.addChildren([
    startRoute,
    newProjectRoute,
    restoreProjectRoute,
    premiumRoute,
    ...serverRoutes,
    projectRoute.addChildren([
      projectStartRoute,
      historyRoute,
      statsRoute,
      projectRunnersRoute,
      activityRoute,
      settingsRoute,
      notificationsRoute,
      teamRoute,
      schedulesRoute,
      keysRoute,
      repositoriesRoute,
      integrationsRoute,
      integrationRoute,
      inventoriesRoute,
      environmentsRoute,
      ...templateRoutes,
      taskRoute,
    ]),
  ]),
]);

/** The router of the console; one for each page load. */
export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: readBasePath() || '/',
    context: { queryClient: createQueryClient() },
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    // An address with a hash names lines of a log, which then scrolls by itself.
    scrollRestoration: ({ location }) => location.hash === '',
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  });
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
}

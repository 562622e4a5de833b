import { createRoute, createRouter, lazyRouteComponent, notFound, Outlet } from '@tanstack/react-router';
import { readBasePath } from '../lib/base-path.ts';
import { ApiError } from '../lib/failure.ts';
import { changePreferences } from '../lib/preferences.ts';
import { ErrorPage } from './error-page.tsx';
import { LoadingPage } from './loading-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { createQueryClient } from './query-client.ts';
import { loginRoute, rootRoute, signedInRoute } from './root-route.tsx';
import { enterProject, openSomeProject } from './session-guard.ts';

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

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users',
  component: lazyRouteComponent(() => import('../features/users/users-screen.tsx'), 'UsersScreen'),
});

const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/project/$projectId',
  beforeLoad: async ({ context, params }) => {
    const projectId = Number(params.projectId);
    if (!Number.isInteger(projectId)) throw notFound();
    try {
      await enterProject(context.queryClient, projectId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw notFound();
      throw error;
    }
    changePreferences({ lastProject: projectId });
  },
  component: Outlet,
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

const statsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/stats',
  component: lazyRouteComponent(() => import('../features/stats/stats-screen.tsx'), 'StatsScreen'),
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

const templatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/templates',
  component: lazyRouteComponent(() => import('../features/templates/templates-screen.tsx'), 'TemplatesScreen'),
});

const newTemplateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/templates/new/edit',
  component: lazyRouteComponent(() => import('../features/templates/template-form-screen.tsx'), 'TemplateFormScreen'),
});

const newTemplateShortRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/templates/new',
  beforeLoad: ({ params, search }) => {
    throw newTemplateRoute.redirect({ params, search });
  },
});

const templateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/templates/$templateId',
  component: lazyRouteComponent(() => import('../features/templates/template-screen.tsx'), 'TemplateScreen'),
});

const templateStartRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    throw templateTasksRoute.redirect({ params, search });
  },
});

const templateTasksRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: '/tasks',
  component: lazyRouteComponent(() => import('../features/templates/template-tasks-screen.tsx'), 'TemplateTasksScreen'),
});

const templateDetailsRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: '/details',
  component: lazyRouteComponent(
    () => import('../features/templates/template-details-screen.tsx'),
    'TemplateDetailsScreen',
  ),
});

const templateStateRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: '/state',
  component: lazyRouteComponent(() => import('../features/templates/template-state-screen.tsx'), 'TemplateStateScreen'),
});

/** The form is a dialog over the template; this is the address that it had as a page. */
const editTemplateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/templates/$templateId/edit',
  beforeLoad: ({ params, search }) => {
    throw templateTasksRoute.redirect({ params, search: { ...search, dialog: 'edit' } });
  },
});

const viewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/views/$viewId/templates',
  component: lazyRouteComponent(() => import('../features/templates/templates-screen.tsx'), 'TemplatesScreen'),
});

const viewTemplateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/views/$viewId/templates/$templateId',
  beforeLoad: ({ params, search }) => {
    if (params.templateId === 'new') throw newTemplateRoute.redirect({ params, search });
  },
  component: lazyRouteComponent(() => import('../features/templates/template-screen.tsx'), 'TemplateScreen'),
});

const viewTemplateStartRoute = createRoute({
  getParentRoute: () => viewTemplateRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    throw viewTemplateTasksRoute.redirect({ params, search });
  },
});

const viewTemplateTasksRoute = createRoute({
  getParentRoute: () => viewTemplateRoute,
  path: '/tasks',
  component: lazyRouteComponent(() => import('../features/templates/template-tasks-screen.tsx'), 'TemplateTasksScreen'),
});

const viewTemplateDetailsRoute = createRoute({
  getParentRoute: () => viewTemplateRoute,
  path: '/details',
  component: lazyRouteComponent(
    () => import('../features/templates/template-details-screen.tsx'),
    'TemplateDetailsScreen',
  ),
});

const viewTemplateStateRoute = createRoute({
  getParentRoute: () => viewTemplateRoute,
  path: '/state',
  component: lazyRouteComponent(() => import('../features/templates/template-state-screen.tsx'), 'TemplateStateScreen'),
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
    usersRoute,
    projectRoute.addChildren([
      projectStartRoute,
      historyRoute,
      statsRoute,
      statsRoute,
      activityRoute,
      settingsRoute,
      schedulesRoute,
      keysRoute,
      repositoriesRoute,
      inventoriesRoute,
      environmentsRoute,
      templatesRoute,
      newTemplateRoute,
      newTemplateShortRoute,
      editTemplateRoute,
      templateRoute.addChildren([templateStartRoute, templateTasksRoute, templateDetailsRoute, templateStateRoute]),
      viewRoute,
      viewTemplateRoute.addChildren([
        viewTemplateStartRoute,
        viewTemplateTasksRoute,
        viewTemplateDetailsRoute,
        viewTemplateStateRoute,
      ]),
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

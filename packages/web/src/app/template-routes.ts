import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from './project-route.ts';

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

/** The templates of a project, by themselves and as a view shows them. */
export const templateRoutes = [
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
] as const;

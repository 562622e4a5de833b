import { appRoutes } from './apps.ts';
import { authRoutes } from './auth.ts';
import { environmentRoutes } from './environments.ts';
import { eventRoutes } from './events.ts';
import type { Route } from './http/route.ts';
import { inventoryRoutes } from './inventories.ts';
import { keyRoutes } from './keys.ts';
import { projectRoutes } from './projects.ts';
import { repositoryRoutes } from './repositories.ts';
import { runnerProtocolRoutes } from './runners.ts';
import { systemRoutes } from './system.ts';
import { taskRoutes } from './tasks.ts';
import { templateRoutes } from './templates.ts';
import { userRoutes } from './users.ts';

/** Every route that answers, and no other. The server, the console, the OpenAPI document and the tests read it. */
export const routeTable = {
  system: systemRoutes,
  auth: authRoutes,
  users: userRoutes,
  apps: appRoutes,
  projects: projectRoutes,
  events: eventRoutes,
  keys: keyRoutes,
  repositories: repositoryRoutes,
  inventories: inventoryRoutes,
  environments: environmentRoutes,
  templates: templateRoutes,
  tasks: taskRoutes,
  runners: runnerProtocolRoutes,
} satisfies Record<string, Record<string, Route>>;

/** All routes with the name that identifies each, such as `keys.create`. */
export function listRoutes(): { name: string; route: Route }[] {
  return Object.entries(routeTable).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([action, route]) => ({ name: `${resource}.${action}`, route: route as Route })),
  );
}

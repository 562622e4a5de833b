import { activeTaskRoutes } from './active-tasks.ts';
import { appRoutes } from './apps.ts';
import { authRoutes } from './auth.ts';
import { backupRoutes } from './backup.ts';
import { deliveryRoutes } from './deliveries.ts';
import { environmentRoutes } from './environments.ts';
import { eventRoutes } from './events.ts';
import type { Route } from './http/route.ts';
import { integrationAliasRoutes } from './integration-aliases.ts';
import { integrationMatcherRoutes } from './integration-matchers.ts';
import { integrationValueRoutes } from './integration-values.ts';
import { integrationRoutes } from './integrations.ts';
import { inventoryRoutes } from './inventories.ts';
import { keyRoutes } from './keys.ts';
import { notificationRoutes } from './notifications.ts';
import { optionRoutes } from './options.ts';
import { projectRoutes } from './projects.ts';
import { repositoryRoutes } from './repositories.ts';
import { runnerRegistrationRoutes } from './runner-registrations.ts';
import { projectRunnerRoutes, runnerRoutes } from './runners.ts';
import { scheduleRoutes } from './schedules.ts';
import { sessionRoutes } from './sessions.ts';
import { singleSignOnRoutes } from './single-sign-on.ts';
import { stateBackendRoutes } from './state-backend.ts';
import { statsRoutes } from './stats.ts';
import { systemRoutes } from './system.ts';
import { taskRoutes } from './tasks.ts';
import { teamRoutes } from './team.ts';
import { templateRoutes } from './templates.ts';
import { terraformRoutes } from './terraform.ts';
import { tokenRoutes } from './tokens.ts';
import { totpRoutes } from './totp.ts';
import { userRoutes } from './users.ts';
import { viewRoutes } from './views.ts';
import { webhookRoutes } from './webhooks.ts';
import { workspaceRoutes } from './workspaces.ts';

/** Every route that answers, and no other. The server, the console, the OpenAPI document and the tests read it. */
export const routeTable = {
  system: systemRoutes,
  auth: authRoutes,
  singleSignOn: singleSignOnRoutes,
  users: userRoutes,
  tokens: tokenRoutes,
  sessions: sessionRoutes,
  totp: totpRoutes,
  apps: appRoutes,
  projects: projectRoutes,
  team: teamRoutes,
  backup: backupRoutes,
  events: eventRoutes,
  keys: keyRoutes,
  repositories: repositoryRoutes,
  inventories: inventoryRoutes,
  environments: environmentRoutes,
  templates: templateRoutes,
  views: viewRoutes,
  workspaces: workspaceRoutes,
  schedules: scheduleRoutes,
  terraform: terraformRoutes,
  tasks: taskRoutes,
  integrations: integrationRoutes,
  integrationAliases: integrationAliasRoutes,
  integrationMatchers: integrationMatcherRoutes,
  integrationValues: integrationValueRoutes,
  deliveries: deliveryRoutes,
  webhooks: webhookRoutes,
  notifications: notificationRoutes,
  stateBackend: stateBackendRoutes,
  runners: runnerRoutes,
  projectRunners: projectRunnerRoutes,
  runnerRegistrations: runnerRegistrationRoutes,
  stats: statsRoutes,
  activeTasks: activeTaskRoutes,
  options: optionRoutes,
} satisfies Record<string, Record<string, Route>>;

/** All routes with the name that identifies each, such as `keys.create`. */
export function listRoutes(): { name: string; route: Route }[] {
  return Object.entries(routeTable).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([action, route]) => ({ name: `${resource}.${action}`, route: route as Route })),
  );
}

import { projectRoutes } from '@signalbox/contract/projects';
import { findRole } from '../../auth/membership.ts';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { changeProject, createProject, listOwnProjects, type ProjectSetup, requireProject } from './projects.ts';

/** @param onLimitChange is told when a project may run more or fewer tasks than before. */
export function projectApi(http: HttpApi, database: Database, setup: ProjectSetup, onLimitChange: () => void): void {
  register(http, projectRoutes.list, ({ actor }) => listOwnProjects(database.read, actor));
  register(http, projectRoutes.create, ({ body, actor }) => createProject(database, setup, actor, body));
  register(http, projectRoutes.get, ({ params }) => requireProject(database.read, params.project_id));
  register(http, projectRoutes.update, async ({ params, body, actor }) => {
    await changeProject(database, actor, params.project_id, body);
    onLimitChange();
  });
  register(http, projectRoutes.role, ({ params, actor }) => findRole(database.read, actor.userId, params.project_id));
}

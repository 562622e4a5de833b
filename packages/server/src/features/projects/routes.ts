import { projectRoutes } from '@signalbox/contract/projects';
import { findRole } from '../../auth/membership.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { ProjectRemovals, type RemovalParts } from './project-removals.ts';
import { changeProject, createProject, listOwnProjects, type ProjectSetup, requireProject } from './projects.ts';

export type ProjectNeeds = RemovalParts & {
  readonly setup: ProjectSetup;
  /** Told when a project may run more or fewer tasks than before. */
  onLimitChange(): void;
  /** Told when somebody lost rights, so that open connections look again. */
  onRightsChange(): void;
};

export function projectApi(http: HttpApi, { setup, onLimitChange, onRightsChange, ...parts }: ProjectNeeds): void {
  const { database } = parts;
  const removals = new ProjectRemovals(parts);
  http.fastify.addHook('onReady', async () => removals.start());
  http.fastify.addHook('onClose', () => removals.stop());
  register(http, projectRoutes.list, ({ actor }) => listOwnProjects(database.read, actor));
  register(http, projectRoutes.create, ({ body, actor }) => createProject(database, setup, actor, body));
  register(http, projectRoutes.get, ({ params }) => requireProject(database.read, params.project_id));
  register(http, projectRoutes.update, async ({ params, body, actor }) => {
    await changeProject(database, actor, params.project_id, body);
    onLimitChange();
  });
  register(http, projectRoutes.remove, async ({ params, actor }) => {
    await removals.remove(actor, params.project_id);
    onRightsChange();
  });
  register(http, projectRoutes.role, ({ params, actor }) => findRole(database.read, actor.userId, params.project_id));
}

import { environmentRoutes } from '@signalbox/contract/environments';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { findEnvironmentReferences } from '../references/references.ts';
import { changeEnvironment, createEnvironment, removeEnvironment, requireEnvironment } from './environments.ts';
import { listEnvironments } from './queries.ts';

export function environmentApi(http: HttpApi, database: Database): void {
  register(http, environmentRoutes.list, ({ params, query }) =>
    listEnvironments(database.read, params.project_id, query),
  );
  register(http, environmentRoutes.create, ({ params, body, actor }) =>
    createEnvironment(database, actor, params.project_id, body),
  );
  register(http, environmentRoutes.get, ({ params }) =>
    requireEnvironment(database.read, params.project_id, params.environment_id),
  );
  register(http, environmentRoutes.references, async ({ params }) => {
    await requireEnvironment(database.read, params.project_id, params.environment_id);
    return findEnvironmentReferences(database.read, params.project_id, params.environment_id);
  });
  register(http, environmentRoutes.update, ({ params, body, actor }) =>
    changeEnvironment(database, actor, { projectId: params.project_id, id: params.environment_id }, body),
  );
  register(http, environmentRoutes.remove, ({ params, actor }) =>
    removeEnvironment(database, actor, { projectId: params.project_id, id: params.environment_id }),
  );
}

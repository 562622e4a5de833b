import { workspaceRoutes } from '@signalbox/contract/workspaces';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { attachWorkspace, detachWorkspace, setDefaultWorkspace } from './workspaces.ts';

export function workspaceApi(http: HttpApi, database: Database): void {
  const placeOf = (params: { project_id: number; template_id: number; inventory_id: number }) => ({
    projectId: params.project_id,
    templateId: params.template_id,
    inventoryId: params.inventory_id,
  });
  register(http, workspaceRoutes.setDefault, ({ params, actor }) =>
    setDefaultWorkspace(database, actor, placeOf(params)),
  );
  register(http, workspaceRoutes.attach, ({ params, actor }) => attachWorkspace(database, actor, placeOf(params)));
  register(http, workspaceRoutes.detach, ({ params, actor }) => detachWorkspace(database, actor, placeOf(params)));
}

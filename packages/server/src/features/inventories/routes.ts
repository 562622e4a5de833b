import { inventoryRoutes } from '@signalbox/contract/inventories';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { findInventoryReferences } from '../references/references.ts';
import { changeInventory, createInventory, removeInventory, requireInventory, typesOfApp } from './inventories.ts';
import { type InventoryFilter, listInventories } from './queries.ts';

export function inventoryApi(http: HttpApi, database: Database): void {
  register(http, inventoryRoutes.list, ({ params, query }) => {
    const types = typesOfApp(query.app);
    const filter: InventoryFilter = { ...(types ? { types } : {}), templateId: query.template_id };
    return listInventories(database.read, params.project_id, filter, query);
  });
  register(http, inventoryRoutes.create, ({ params, body, actor }) =>
    createInventory(database, actor, params.project_id, body),
  );
  register(http, inventoryRoutes.get, ({ params }) =>
    requireInventory(database.read, params.project_id, params.inventory_id),
  );
  register(http, inventoryRoutes.references, async ({ params }) => {
    await requireInventory(database.read, params.project_id, params.inventory_id);
    return findInventoryReferences(database.read, params.project_id, params.inventory_id);
  });
  register(http, inventoryRoutes.update, ({ params, body, actor }) =>
    changeInventory(database, actor, { projectId: params.project_id, id: params.inventory_id }, body),
  );
  register(http, inventoryRoutes.remove, ({ params, actor }) =>
    removeInventory(database, actor, { projectId: params.project_id, id: params.inventory_id }),
  );
}

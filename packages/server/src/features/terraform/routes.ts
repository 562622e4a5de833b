import { terraformRoutes } from '@signalbox/contract/terraform';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import {
  changeTerraformAlias,
  createTerraformAlias,
  listTerraformAliases,
  listTerraformStates,
  readTerraformState,
  removeTerraformAlias,
  removeTerraformState,
  type StateBackend,
} from './terraform.ts';

export function terraformApi(http: HttpApi, database: Database, backend: StateBackend): void {
  const placeOf = (params: { project_id: number; inventory_id: number }) => ({
    projectId: params.project_id,
    inventoryId: params.inventory_id,
  });
  register(http, terraformRoutes.listAliases, ({ params }) =>
    listTerraformAliases(database.read, backend, placeOf(params)),
  );
  register(http, terraformRoutes.createAlias, ({ params, body, actor }) =>
    createTerraformAlias(database, backend, actor, placeOf(params), body),
  );
  register(http, terraformRoutes.updateAlias, ({ params, body, actor }) =>
    changeTerraformAlias(database, backend, actor, { ...placeOf(params), id: params.alias_id }, body),
  );
  register(http, terraformRoutes.removeAlias, ({ params, actor }) =>
    removeTerraformAlias(database, actor, { ...placeOf(params), id: params.alias_id }),
  );
  register(http, terraformRoutes.listStates, ({ params }) =>
    listTerraformStates(database.read, backend, placeOf(params)),
  );
  register(http, terraformRoutes.getState, ({ params }) =>
    readTerraformState(database, backend, { ...placeOf(params), id: params.state_id }),
  );
  register(http, terraformRoutes.removeState, ({ params, actor }) =>
    removeTerraformState(database, backend, actor, { ...placeOf(params), id: params.state_id }),
  );
}

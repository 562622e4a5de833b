import { appRoutes } from '@signalbox/contract/apps';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { changeApp, findStoredApp, removeApp, switchApp } from './apps.ts';
import { listApps } from './queries.ts';

export function appApi(http: HttpApi, database: Database): void {
  register(http, appRoutes.list, () => listApps(database.read));
  register(http, appRoutes.get, ({ params }) => findStoredApp(database.read, params.app_id));
  for (const route of [appRoutes.save, appRoutes.saveByPost]) {
    register(http, route, ({ params, body, actor }) => changeApp(database, actor, params.app_id, body));
  }
  register(http, appRoutes.remove, ({ params, actor }) => removeApp(database, actor, params.app_id));
  register(http, appRoutes.setActive, ({ params, body, actor }) =>
    switchApp(database, actor, params.app_id, body.active),
  );
}

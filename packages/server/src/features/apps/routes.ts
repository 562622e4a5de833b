import { appRoutes } from '@signalbox/contract/apps';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { listApps } from './queries.ts';

export function appApi(http: HttpApi, database: Database): void {
  register(http, appRoutes.list, () => listApps(database.read));
}

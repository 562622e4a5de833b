import { optionRoutes } from '@signalbox/contract/options';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { readOptions, setOption } from './options.ts';

/** @param settingNames variables of the server's settings: options are none of them */
export function optionApi(http: HttpApi, database: Database, settingNames: readonly string[]): void {
  register(http, optionRoutes.list, () => readOptions(database.read));
  register(http, optionRoutes.set, ({ body, actor }) => setOption(database, settingNames, actor, body));
}

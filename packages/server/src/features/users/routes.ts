import { userRoutes } from '@signalbox/contract/users';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { describeCurrentUser, type ProjectRules } from './users.ts';

export function userApi(http: HttpApi, database: Database, rules: ProjectRules): void {
  register(http, userRoutes.current, ({ actor }) => describeCurrentUser(database, actor, rules));
}

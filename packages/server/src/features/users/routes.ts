import { userRoutes } from '@signalbox/contract/users';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { changePassword, changeUser, createUser, removeUser } from './accounts.ts';
import { describeCurrentUser, listKnownUsers, type ProjectRules, requireUser } from './users.ts';

export function userApi(http: HttpApi, database: Database, rules: ProjectRules): void {
  register(http, userRoutes.current, ({ actor }) => describeCurrentUser(database, actor, rules));
  register(http, userRoutes.list, ({ actor }) => listKnownUsers(database.read, actor));
  register(http, userRoutes.create, ({ body, actor }) => createUser(database, actor, body));
  register(http, userRoutes.get, ({ params }) => requireUser(database.read, params.user_id));
  register(http, userRoutes.update, async ({ params, body, actor }) => {
    await changeUser(database, actor, params.user_id, body);
    http.onAccessChange(params.user_id);
  });
  register(http, userRoutes.remove, async ({ params, actor }) => {
    await removeUser(database, actor, params.user_id);
    http.onAccessChange(params.user_id);
  });
  register(http, userRoutes.changePassword, async ({ params, body, actor }) => {
    await changePassword(database, actor, params.user_id, body.password);
    http.onAccessChange(params.user_id);
  });
}

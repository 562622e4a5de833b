import { tokenRoutes } from '@signalbox/contract/tokens';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { addToken, endToken, listOwnTokens } from './tokens.ts';

export function tokenApi(http: HttpApi, database: Database): void {
  register(http, tokenRoutes.list, ({ actor }) => listOwnTokens(database.read, actor));
  register(http, tokenRoutes.create, ({ actor, body }) => addToken(database, actor, body));
  register(http, tokenRoutes.revoke, async ({ actor, params }) => {
    await endToken(database, actor, params.token_id);
    http.onAccessChange(actor.userId);
  });
}

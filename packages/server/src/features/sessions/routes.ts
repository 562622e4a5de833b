import { sessionRoutes } from '@signalbox/contract/sessions';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { endAllSessions, endOneSession, listSessionsOf } from './sessions.ts';

export function sessionApi(http: HttpApi, database: Database): void {
  const list = listSessionsOf.bind(undefined, database.read);
  register(http, sessionRoutes.listOwn, ({ actor }) => list(actor, actor.userId, http.sessionLimits));
  register(http, sessionRoutes.list, ({ actor, params }) => list(actor, params.user_id, http.sessionLimits));
  register(http, sessionRoutes.endOwn, async ({ actor, params }) => {
    await endOneSession(database, actor, actor.userId, params.session_id);
    http.onAccessChange(actor.userId);
  });
  register(http, sessionRoutes.end, async ({ actor, params }) => {
    await endOneSession(database, actor, params.user_id, params.session_id);
    http.onAccessChange(params.user_id);
  });
  register(http, sessionRoutes.endAll, async ({ actor, params }) => {
    await endAllSessions(database, actor, params.user_id);
    http.onAccessChange(params.user_id);
  });
}

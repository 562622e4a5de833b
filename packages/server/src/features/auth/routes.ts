import { authRoutes } from '@signalbox/contract/auth';
import type { Database } from '../../db/database.ts';
import { readSessionCookie, writeSessionCookie } from '../../http/authenticate.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { describeLogin, type LoginRules, signIn, signOut } from './auth.ts';

export function authApi(http: HttpApi, database: Database, rules: LoginRules): void {
  register(http, authRoutes.options, () => describeLogin(rules));
  register(http, authRoutes.login, async ({ body, request, reply }) => {
    const caller = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const token = await signIn(database, rules, body, caller);
    // The session of before is not good for anything any more.
    await signOut(database, readSessionCookie(http, request));
    void reply.header('set-cookie', writeSessionCookie(http, request, token));
  });
  register(http, authRoutes.logout, async ({ request, reply }) => {
    await signOut(database, readSessionCookie(http, request));
    void reply.header('set-cookie', writeSessionCookie(http, request, undefined));
  });
}

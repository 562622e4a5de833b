import { authRoutes } from '@signalbox/contract/auth';
import type { ExternalSignIn } from '../../auth/external-sign-in.ts';
import { readSessionCookie, writeSessionCookie } from '../../http/authenticate.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { describeLogin, type LoginRules, signIn, signOut } from './auth.ts';

export function authApi(http: HttpApi, outside: ExternalSignIn, rules: LoginRules): void {
  const { database } = outside;
  register(http, authRoutes.options, () => describeLogin(rules));
  register(http, authRoutes.login, async ({ body, request, reply }) => {
    const caller = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const token = await signIn(outside, rules, body, caller);
    // The session of before is not good for anything any more.
    const before = await signOut(database, readSessionCookie(http, request));
    if (before !== undefined) http.onAccessChange(before);
    void reply.header('set-cookie', writeSessionCookie(http, request, token));
  });
  register(http, authRoutes.logout, async ({ request, reply }) => {
    const userId = await signOut(database, readSessionCookie(http, request), request.ip);
    if (userId !== undefined) http.onAccessChange(userId);
    void reply.header('set-cookie', writeSessionCookie(http, request, undefined));
  });
}

import { singleSignOnRoutes } from '@signalbox/contract/single-sign-on';
import type { FastifyRequest } from 'fastify';
import { pendingSeconds } from '../../auth/pending-sign-in.ts';
import { endSession } from '../../auth/sessions.ts';
import { AppError } from '../../errors.ts';
import { readSessionCookie, writeSessionCookie } from '../../http/authenticate.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { beginSignIn, finishSignIn, requireProvider, type SingleSignOn } from './single-sign-on.ts';

const cookieName = 'signalbox_sso';

export function singleSignOnApi(http: HttpApi, sso: SingleSignOn): void {
  register(http, singleSignOnRoutes.begin, async ({ params, request, reply }) => {
    const provider = requireProvider(sso, params.provider);
    const redirectUri = provider.redirectUrl ?? ownAddress(http, request, provider.id);
    const begun = await beginSignIn(sso, provider, redirectUri, readQuery(request));
    if ('failure' in begun) return http.basePath + begun.failure;
    void reply.header('set-cookie', writePendingCookie(http, request, begun.cookie));
    return begun.location;
  });
  register(http, singleSignOnRoutes.finish, async ({ params, request, reply }) => {
    const provider = requireProvider(sso, params.provider);
    const caller = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const returned = { query: readQuery(request), cookie: readPendingCookie(http, request) };
    const { target, token } = await finishSignIn(sso, provider, returned, caller);
    const cookies = [writePendingCookie(http, request, undefined)];
    if (token !== undefined) {
      // The session of before is not good for anything any more.
      const before = readSessionCookie(http, request);
      if (before !== undefined) await endFormer(http, before);
      cookies.push(writeSessionCookie(http, request, token));
    }
    void reply.header('set-cookie', cookies);
    return http.basePath + target;
  });
}

async function endFormer(http: HttpApi, token: string): Promise<void> {
  const userId = await http.database.transact((db) => endSession(db, token));
  if (userId !== undefined) http.onAccessChange(userId);
}

function readQuery(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at));
}

/** Where the provider sends the browser back to: the public URL, else the host that was asked for. */
function ownAddress({ webHost, apiPath }: HttpApi, request: FastifyRequest, provider: string): string {
  const origin = webHost?.origin ?? URL.parse(`${request.protocol}://${request.host}`)?.origin;
  if (origin === undefined) throw new AppError('invalid', 'The request names no host');
  return `${origin}${apiPath}/auth/oidc/${provider}/redirect`;
}

/** It outlives the way to the provider and back, and goes nowhere but to these routes. */
function writePendingCookie(http: HttpApi, request: FastifyRequest, value: string | undefined): string {
  return http.fastify.serializeCookie(cookieName, value ?? '', {
    httpOnly: true,
    // Lax and not Strict: the browser comes back from another site.
    sameSite: 'lax',
    secure: http.webHost === undefined ? request.protocol === 'https' : http.webHost.protocol === 'https:',
    path: `${http.apiPath}/auth/oidc`,
    maxAge: value === undefined ? 0 : pendingSeconds,
  });
}

function readPendingCookie(http: HttpApi, { headers }: FastifyRequest): string | undefined {
  return http.fastify.parseCookie(headers.cookie ?? '')[cookieName];
}

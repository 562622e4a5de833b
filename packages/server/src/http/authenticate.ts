import type { IncomingHttpHeaders } from 'node:http';
import { runnerTokenHeader } from '@signalbox/contract/runner-protocol';
import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from '../auth/actor.ts';
import { findApiToken, noteTokenUse } from '../auth/api-tokens.ts';
import { type FoundSession, findSession, noteActivity } from '../auth/sessions.ts';
import { hashToken } from '../auth/tokens.ts';
import type { RunnerIdentity } from '../engine/runner-identity.ts';
import { AppError } from '../errors.ts';
import { type HttpApi, sessionCookie } from './http-api.ts';
import { hasOrigin } from './origin.ts';

/** A request of the API, or the upgrade of a websocket. */
type Incoming = { headers: IncomingHttpHeaders };

export type Proof = { readonly user: SignedInUser; readonly by: 'session' | 'token' };

/**
 * The user of a request, by session cookie or API token; throws `unauthenticated` where neither is good. A bearer header
 * turns the cookie off, also when the token is bad.
 *
 * @param by `machine` for what a page does while nobody is there: that keeps no session alive
 */
export async function identifyUser(
  http: HttpApi,
  request: Incoming,
  by: 'person' | 'machine' = 'person',
): Promise<Proof> {
  const bearer = readBearer(request);
  const now = Date.now();
  if (bearer !== undefined) {
    const token = await findApiToken(http.database.read, bearer, now);
    if (token === undefined) throw new AppError('unauthenticated', 'The API token is not valid');
    if (by === 'person') await noteTokenUse(http.database, token, now);
    return { user: token.user, by: 'token' };
  }
  const session = await identifySession(http, request);
  if (!session.verified && http.totpEnabled) throw new AppError('TOTP_REQUIRED', 'TOTP_REQUIRED');
  if (by === 'person') await noteActivity(http.database, session, now);
  return { user: session.user, by: 'session' };
}

/** The session of a cookie, also one whose second step is open. Only routes that are about that step may ask. */
export async function identifySession(http: HttpApi, request: Incoming): Promise<FoundSession> {
  const token = readSessionCookie(http, request);
  const session = token && (await findSession(http.database.read, token, http.sessionLimits, Date.now()));
  if (!session) throw new AppError('unauthenticated', 'Sign in first');
  return session;
}

export async function identifyRunner(http: HttpApi, request: Incoming): Promise<RunnerIdentity> {
  const token = request.headers[runnerTokenHeader];
  const runner = typeof token === 'string' && token !== '' ? await http.identifyRunner(hashToken(token)) : undefined;
  if (runner === undefined) throw new AppError('unauthenticated', 'The runner token is not valid');
  return runner;
}

/** Throws `foreign_origin` for a request whose Origin is not ours; a missing one passes unless it must be there. */
export function refuseForeignOrigin(http: HttpApi, request: Incoming, needed: 'optional' | 'required'): void {
  const { origin, host } = request.headers;
  if (origin === undefined && needed === 'optional') return;
  if (origin !== undefined && hasOrigin(origin, http.webHost, host)) return;
  const own = http.webHost?.origin ?? host ?? 'this server';
  throw new AppError(
    'foreign_origin',
    `Requests from ${origin ?? 'an unknown origin'} are refused; open ${own} instead`,
  );
}

/** Text of the header that sets the session cookie, or clears it when there is no token. */
export function writeSessionCookie(http: HttpApi, request: FastifyRequest, token: string | undefined): string {
  return http.fastify.serializeCookie(sessionCookie, token ?? '', {
    httpOnly: true,
    sameSite: 'lax',
    secure: http.webHost === undefined ? request.protocol === 'https' : http.webHost.protocol === 'https:',
    path: http.basePath === '' ? '/' : http.basePath,
    maxAge: token === undefined ? 0 : Math.floor(http.sessionLimits.absoluteMs / 1000),
  });
}

export function readSessionCookie(http: HttpApi, { headers }: Incoming): string | undefined {
  const value = http.fastify.parseCookie(headers.cookie ?? '')[sessionCookie];
  return value === '' ? undefined : value;
}

function readBearer({ headers }: Incoming): string | undefined {
  const header = headers.authorization;
  if (header === undefined || !/bearer/i.test(header)) return undefined;
  return /^\s*bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? '';
}

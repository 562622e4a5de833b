import type { Server } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import { defaultBodyLimit } from '@signalbox/contract/http/route';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Actor } from '../auth/actor.ts';
import type { SessionLimits } from '../auth/sessions.ts';
import type { Database } from '../db/database.ts';
import type { RunnerIdentity } from '../engine/runner-identity.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { answerError } from './answer-error.ts';
import { readJson } from './json-body.ts';
import { createSecurityHeaders } from './security-headers.ts';

export const sessionCookie = 'signalbox';

export type HttpOptions = {
  readonly database: Database;
  readonly log: Logger;
  /** SIGNALBOX_WEB_HOST where it is set: the only origin that may change state by cookie. */
  readonly webHost: URL | undefined;
  /** Path under which everything is served: empty, or `/base`. */
  readonly basePath: string;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly sessionLimits: SessionLimits;
  /** Off: nobody is asked for a second step. */
  readonly totpEnabled: boolean;
  /** Writes of non-administrators are refused. */
  readonly readOnlyDemo: boolean;
  /** The runner that a token belongs to; only the hash travels. */
  readonly identifyRunner: (tokenHash: string) => Promise<RunnerIdentity | undefined>;
  /** Told after each successful change, with the plural that stands in the path; no project: of the whole installation. */
  readonly onChange: (projectId: number | null, object: string) => void;
  /** Told when a user's sessions have ended or his rights have changed: what he has open is checked at once. */
  readonly onAccessChange: (userId: number) => void;
  /** A server that listens already; without it none is bound, and requests are injected. */
  readonly server?: Server;
};

/** What the routes are registered on. Rules never see it. */
export type HttpApi = HttpOptions & {
  readonly fastify: FastifyInstance;
  /** `<base>/api` */
  readonly apiPath: string;
  /** Pattern and methods of every path, to tell an unknown path from a wrong method. */
  readonly paths: KnownPaths;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, by the permission of the route. */
    caller: Actor | RunnerIdentity | undefined;
  }
}

/** Builds the HTTP server with everything that holds for all routes. Nothing listens yet. */
export function createHttp(options: HttpOptions): HttpApi {
  const app = fastify({
    logger: false,
    bodyLimit: defaultBodyLimit,
    requestTimeout: 300_000,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 255 },
    // The contract's schemas check and serialise; this keeps two JSON schema compilers out of memory.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => {
      answerError(options.log, error, request, reply);
    },
    ...(options.server ? { serverFactory: serveOn(options.server) } : {}),
  });
  const apiPath = `${options.basePath}/api`;
  const http: HttpApi = { ...options, fastify: app, apiPath, paths: new KnownPaths() };

  // Only routes with a session read cookies.
  void app.register(fastifyCookie, { hook: false });
  app.decorateRequest('caller', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    // Old clients send JSON without saying so.
    if (request.headers['content-type'] === undefined) readJson(request, body, done);
    else done(new AppError('unsupported_media_type', 'The body must be application/json'));
  });
  app.addHook('onRequest', createSecurityHeaders(http));
  app.addHook('onRequest', refuseNul);
  app.setErrorHandler((error, request, reply) => answerError(options.log, error, request, reply));
  return http;
}

/** Nothing that is stored has a NUL in it, so nothing with one is looked for: PostgreSQL would fail. */
function refuseNul(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  done(request.url.includes('%00') ? new AppError('invalid', 'The address must not hold a NUL character') : undefined);
}

function noCompiler(): never {
  throw new Error('Routes of this server have no JSON schemas of their own');
}

/** Fastify asks for a server and would listen itself; ours listens before anything else is touched. */
function serveOn(server: Server) {
  return (handler: (request: never, response: never) => void): Server => {
    server.removeAllListeners('request');
    server.on('request', handler as never);
    return server;
  };
}

export class KnownPaths {
  readonly #patterns: { method: string; pattern: RegExp }[] = [];

  add(method: string, path: string): void {
    const source = path
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    this.#patterns.push({ method, pattern: new RegExp(`^${source.join('/')}/?$`) });
  }

  /** Methods of a path, without those that follow by themselves (HEAD). */
  methodsOf(path: string): string[] {
    return this.#patterns.filter((known) => known.pattern.test(path)).map((known) => known.method);
  }
}

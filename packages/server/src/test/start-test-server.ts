import { ErrorBody } from '@signalbox/contract/errors';
import type { Route, RouteCall, RouteResponse } from '@signalbox/contract/http/route';
import type { LightMyRequestResponse } from 'fastify';
import * as z from 'zod/mini';
import { createEngine, createRoutes } from '../app.ts';
import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Engine } from '../engine/start.ts';
import { seedApps } from '../features/apps/apps.ts';
import type { HttpApi } from '../http/http-api.ts';
import { createLogger, type Logger } from '../logger.ts';
import { createSender, type NotificationSender } from '../notifications/sender.ts';
import { openTestDatabase, type TestDatabase } from './databases.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH';
export type TestRequest = {
  /** Value of the session cookie. */
  session?: string | undefined;
  headers?: Record<string, string>;
  /** Sent as JSON; a text or bytes as they are. */
  body?: unknown;
};
export type TestAnswer = {
  status: number;
  /** Parsed JSON, where there is some. */
  body: unknown;
  text: string;
  headers: LightMyRequestResponse['headers'];
  /** The error body; throws where the answer is none. */
  readonly error: ErrorBody;
};
export type RouteAnswer<R extends Route> = Omit<TestAnswer, 'body'> & { body: RouteResponse<R> };

export type TestServer = {
  database: Database;
  config: Config;
  http: HttpApi;
  /** The real one; it starts no runner before it is opened. */
  engine: Engine;
  /** It sends test messages; others when it is started. */
  sender: NotificationSender;
  /** Lines that the server logged. */
  logged: string[];
  /** Calls a route of the contract, as its clients do. */
  ask<const R extends Route>(route: R, call: RouteCall<R> & { session?: string }): Promise<RouteAnswer<R>>;
  /** Sends whatever a test likes; the path is without `/api`. */
  call(method: Method, path: string, request?: TestRequest): Promise<TestAnswer>;
  /** The same for any path of the server. */
  fetch(method: Method, url: string, request?: TestRequest): Promise<TestAnswer>;
  stop(): Promise<void>;
};

export type TestServerOptions = {
  env?: Record<string, string>;
  /** What a test puts in the place of the engine's own. */
  engine?: Partial<Pick<Engine, 'identifyRunner' | 'wakeQueue' | 'askRunner' | 'readFacts' | 'readPulse'>>;
  onChange?: (projectId: number | null, object: string) => void;
  consoleDirectory?: string;
  /** Instead of a new one. */
  database?: TestDatabase;
  /** Starts the engine with other settings. */
  makeEngine?: (database: Database, config: Config, log: Logger) => Engine;
};

/** The real application on a database of its own, asked in process. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { database, dataDir, remove } = options.database ?? (await openTestDatabase());
  const config = loadConfig({ SIGNALBOX_DATA: dataDir, ...options.env });
  const logged: string[] = [];
  await seedApps(database);
  const log = createLogger((line) => logged.push(line));
  const publicUrl = config.webHost?.href.replace(/\/$/, '') ?? 'http://localhost';
  const made = options.makeEngine?.(database, config, log) ?? createEngine({ config, database, log, publicUrl });
  const engine = { ...made, ...options.engine };
  const sender = createSender({ database, log, settings: config.notifications, webUrl: publicUrl }, engine);
  const http = createRoutes({
    config,
    database,
    log,
    engine,
    sender,
    publicUrl,
    ...(options.onChange === undefined ? {} : { onChange: options.onChange }),
    ...(options.consoleDirectory === undefined ? {} : { consoleDirectory: options.consoleDirectory }),
  });
  await http.fastify.ready();
  const fetch = async (method: Method, url: string, request: TestRequest = {}): Promise<TestAnswer> => {
    const { session, headers = {}, body } = request;
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const answer = await http.fastify.inject({
      method,
      url,
      headers: {
        ...(session === undefined ? {} : { cookie: `signalbox=${session}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const parsed = readBody(answer);
    return {
      status: answer.statusCode,
      body: parsed,
      text: answer.body,
      headers: answer.headers,
      get error() {
        return z.parse(ErrorBody, parsed);
      },
    };
  };
  const call: TestServer['call'] = (method, path, request) => fetch(method, `${http.apiPath}${path}`, request);
  return {
    database,
    config,
    http,
    engine,
    sender,
    logged,
    fetch,
    call,
    ask: async (route, request) => {
      const { method, path, body, session } = fillRoute(route, request);
      // The server parsed the answer with the schema of the route.
      return (await call(method, path, { body, session })) as never;
    },
    stop: async () => {
      await sender.stop();
      await engine.stop();
      await http.fastify.close();
      await remove();
    },
  };
}

type LooseCall = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  session?: string;
};

function fillRoute(route: Route, request: object) {
  const { params = {}, query = {}, body, session }: LooseCall = request;
  const path = route.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return { method: route.method, path: search === '' ? path : `${path}?${search}`, body, session };
}

function readBody(answer: LightMyRequestResponse): unknown {
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return isJson && answer.body !== '' ? JSON.parse(answer.body) : undefined;
}

import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../engine/clock.ts';
import { type EngineParts, startEngine } from '../engine/start.ts';
import { serveSocket } from '../http/socket.ts';
import type { TestDatabase } from './databases.ts';
import { quietSettings } from './quiet-settings.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';

/** A clock that a test sets. It begins now, so that it agrees with times that the database takes itself. */
export class TestClock implements Clock {
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

export type EngineServer = TestServer & {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Ends the server and leaves its database alone, as a restart does. */
  halt(): Promise<void>;
};

export type EngineServerOptions = {
  clock?: Clock;
  settings?: Partial<EngineParts['settings']>;
  /** Shared with another server, or left by one. */
  database?: TestDatabase;
  env?: Record<string, string>;
};

/** The whole server with its queue, listening on a port of its own. Without the built-in runner unless it is asked for. */
export async function startEngineServer(options: EngineServerOptions = {}): Promise<EngineServer> {
  const { env, database, clock, settings } = options;
  const server = await startTestServer({
    ...(env === undefined ? {} : { env }),
    ...(database === undefined ? {} : { database }),
    makeEngine: (opened, config, log) =>
      startEngine({
        database: opened,
        log,
        ...(clock === undefined ? {} : { clock }),
        settings: { ...quietSettings, dataDir: config.dataDir, ...settings },
      }),
  });
  const { http, engine } = server;
  const closeSockets = serveSocket(http, engine.live);
  await http.fastify.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.fastify.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  engine.open(`${url}${http.basePath}`);
  const halt = async () => {
    closeSockets();
    await engine.stop();
    http.fastify.server.closeAllConnections();
    await http.fastify.close();
  };
  return {
    ...server,
    url,
    halt,
    stop: async () => {
      closeSockets();
      http.fastify.server.closeAllConnections();
      await server.stop();
    },
  };
}

export type TestRunner = { id: number; token: string };

/** A registered runner; the token is known here and nowhere else. */
export async function aRunner(
  { database }: Pick<TestServer, 'database'>,
  options: { tag?: string; projectId?: number; limit?: number; lostAfterSeconds?: number } = {},
): Promise<TestRunner> {
  const token = randomBytes(32).toString('base64url');
  const { id } = await database.transact((db) =>
    db
      .insertInto('runner')
      .values({
        project_id: options.projectId ?? null,
        name: 'runner',
        tag: options.tag ?? null,
        webhook: '',
        max_parallel_tasks: options.limit ?? 0,
        active: true,
        token_hash: createHash('sha256').update(token).digest('hex'),
        public_key: null,
        created: Date.now(),
        lost_after_seconds: options.lostAfterSeconds ?? 300,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return { id, token };
}

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Notices } from './database.ts';
import { StartRefusal } from './start-refusal.ts';

const selfTestChannel = 'signalbox_self_test';
const selfTestLimit = 5000;
const longestPause = 5000;
/** How often the connection is asked whether it still lives: a lost network says nothing by itself. */
const pingInterval = 15_000;
const pingLimit = 10_000;
/** PostgreSQL takes 8,000 bytes; the sender's name is in front. */
const longestNotice = 7900;

type Settings = {
  connect: pg.ClientConfig;
  /** Sends: another connection than the one that listens. */
  pool: pg.Pool;
  onFailure(): void;
};

/**
 * Notices between servers by LISTEN and NOTIFY. They carry ids, and they may be lost: whoever listens looks for himself after
 * each reconnect. A server does not hear its own.
 */
export class PostgresNotices implements Notices {
  readonly #settings: Settings;
  readonly #sender = randomBytes(8).toString('hex');
  readonly #listeners = new Map<string, Set<(text: string) => void>>();
  readonly #sweeps: (() => void)[] = [];
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #ping: NodeJS.Timeout | undefined;
  #reconnecting: Promise<void> | undefined;
  #last: Promise<boolean> = Promise.resolve(true);

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Connects, and proves that notices arrive. @throws StartRefusal */
  async start(): Promise<void> {
    await this.#connect();
    this.#ping = setInterval(() => void this.#checkConnection(), pingInterval).unref();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, selfTestLimit, false);
    const stopListening = this.listen(selfTestChannel, () => resolve(true));
    await this.#last;
    // As another server would, or it would not be heard.
    await this.#settings.pool.query('select pg_notify($1, $2)', [selfTestChannel, `${'0'.repeat(16)} test`]);
    const arrived = await promise;
    clearTimeout(timer);
    stopListening();
    if (arrived) return;
    await this.close();
    throw new StartRefusal(
      'PostgreSQL delivers no notifications on this connection, as behind a pooler in transaction mode: SIGNALBOX_DATABASE_URL must lead to the database itself.',
    );
  }

  async send(channel: string, text: string): Promise<void> {
    if (Buffer.byteLength(text) > longestNotice) throw new RangeError('A notice carries ids, not content');
    await this.#settings.pool.query('select pg_notify($1, $2)', [channel, `${this.#sender} ${text}`]);
  }

  listen(channel: string, onNotice: (text: string) => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(onNotice);
    this.#listeners.set(channel, listeners);
    if (listeners.size === 1) void this.#run(`listen ${pg.escapeIdentifier(channel)}`);
    return () => {
      listeners.delete(onNotice);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      void this.#run(`unlisten ${pg.escapeIdentifier(channel)}`);
    };
  }

  onReconnect(sweep: () => void): void {
    this.#sweeps.push(sweep);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#ping);
    await this.#reconnecting;
    await this.#client?.end();
    this.#client = undefined;
  }

  /** One statement after the other. @returns whether it was run; its failure is a lost connection */
  #run(statement: string): Promise<boolean> {
    const client = this.#client;
    this.#last = this.#last.then(async () => {
      if (client === undefined || this.#client !== client) return false;
      try {
        await client.query(statement);
        return true;
      } catch {
        // Told by the connection too, but not when the server refuses a statement.
        if (this.#client === client) this.#lose();
        return false;
      }
    });
    return this.#last;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#settings.connect);
    const loseThis = () => {
      if (this.#client === client) this.#lose();
    };
    client.on('error', loseThis);
    client.on('end', loseThis);
    client.on('notification', ({ channel, payload }) => this.#deliver(channel, payload ?? ''));
    await client.connect();
    for (const channel of this.#listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    this.#client = client;
  }

  #deliver(channel: string, payload: string): void {
    const space = payload.indexOf(' ');
    if (payload.slice(0, space) === this.#sender) return;
    for (const onNotice of this.#listeners.get(channel) ?? []) onNotice(payload.slice(space + 1));
  }

  async #checkConnection(): Promise<void> {
    const timer = setTimeout(() => this.#lose(), pingLimit).unref();
    await this.#run('select 1');
    clearTimeout(timer);
  }

  #lose(): void {
    if (this.#stop.signal.aborted || this.#reconnecting !== undefined) return;
    const lost = this.#client;
    this.#client = undefined;
    this.#settings.onFailure();
    // It may never answer its end; the socket goes with it.
    lost?.end().catch(() => undefined);
    this.#reconnecting = this.#reconnect().finally(() => {
      this.#reconnecting = undefined;
    });
  }

  async #reconnect(): Promise<void> {
    for (let pause = 100; !this.#stop.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      try {
        await wait(pause, undefined, { signal: this.#stop.signal, ref: false });
        await this.#connect();
      } catch {
        // Not there yet, or the server ends: the loop knows.
        this.#settings.onFailure();
        continue;
      }
      for (const sweep of this.#sweeps) sweep();
      return;
    }
  }
}

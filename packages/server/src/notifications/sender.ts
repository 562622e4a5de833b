import { setMaxListeners } from 'node:events';
import type { BlockList } from 'node:net';
import type { NotificationChannel } from '@signalbox/contract/notifications';
import type { ChannelSettings } from '../config-notifications.ts';
import { believeTime } from '../db/believed-time.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { deliver } from './deliver.ts';
import {
  type Due,
  findAddress,
  freeTaken,
  listChannels,
  maxAttempts,
  recordVerdict,
  spreadAlerts,
  takeDue,
  tidyOutbox,
  type Verdict,
  waitAfter,
} from './outbox.ts';
import type { Outcome } from './send-request.ts';

type SenderParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly settings: { readonly channels: ChannelSettings; readonly keptDays: number; readonly denied: BlockList };
  /** Public URL of the console, without a slash at the end. */
  readonly webUrl: string;
  /** The time on which all servers of the database agree. */
  readonly now: () => number;
  /** How long a receiver may take for everything. */
  readonly timeoutMs?: number;
};

const sweepMs = 5000;
const tidyMs = 3_600_000;
/** So many messages of one channel are under way at once: a receiver that hangs keeps up nobody but its own. */
const mostAtOnce = 4;
/** How long messages that are under way when the server ends may take. */
const endMs = 2000;
const longestWait = 6 * 3_600_000;

/**
 * Sends what stands in the outbox, outside of the path of any task. Several servers share the work. A message is sent once
 * unless its sender dies between the answer of the receiver and the note that it was sent: then it is sent again.
 */
export class NotificationSender {
  readonly #parts: SenderParts;
  readonly #timeoutMs: number;
  readonly #underWay = new Map<NotificationChannel, Set<Promise<void>>>();
  readonly #ending = new AbortController();
  #sweepTimer: NodeJS.Timeout | undefined;
  #tidyTimer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#timeoutMs = parts.timeoutMs ?? 10_000;
    setMaxListeners(0, this.#ending.signal);
  }

  get channels(): NotificationChannel[] {
    return listChannels(this.#parts.settings.channels);
  }

  get settings(): ChannelSettings {
    return this.#parts.settings.channels;
  }

  now(): number {
    return this.#parts.now();
  }

  /** @returns what ends it */
  start(): () => Promise<void> {
    const { database, log } = this.#parts;
    this.#sweepTimer = setInterval(() => this.wake(), sweepMs);
    this.#tidyTimer = setInterval(() => void this.tidy(), tidyMs);
    this.#sweepTimer.unref();
    this.#tidyTimer.unref();
    this.#round = freeTaken(database, this.now())
      .catch((error: unknown) => log.warn('The outbox of messages could not be read', { cause: error }))
      .then(() => this.tidy())
      .finally(() => this.#endRound());
    this.#isWoken = true;
    return () => this.stop();
  }

  /** Something may be there to send. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isWoken = true;
    this.#round ??= this.#work().finally(() => this.#endRound());
  }

  /** Ends the attempts that are under way after a short time; the outbox keeps what was not sent. */
  async stop(): Promise<void> {
    clearInterval(this.#sweepTimer);
    clearInterval(this.#tidyTimer);
    this.#isStopped = true;
    const timer = setTimeout(() => this.#ending.abort(), endMs);
    await this.#round;
    await Promise.all([...this.#underWay.values()].flatMap((sends) => [...sends]));
    clearTimeout(timer);
    this.#ending.abort();
  }

  /** One attempt for a message that the caller has taken. */
  async send(due: Due): Promise<void> {
    const { database, log } = this.#parts;
    try {
      const verdict = due.attempts > maxAttempts ? cutOff : await this.#attempt(due);
      if (verdict.kind === 'failed') log.warn('A message was given up', { channel: due.channel, notification: due.id });
      await recordVerdict(database, due, verdict, this.now());
    } catch (error) {
      // It stays taken for a while, and is then tried again.
      log.error('A message could not be sent', { cause: error, channel: due.channel, notification: due.id });
    }
  }

  /** What the timer does every hour. */
  async tidy(): Promise<void> {
    const { database, log, settings } = this.#parts;
    try {
      const keptMs = settings.keptDays * 24 * 3_600_000;
      const now = await believeTime(database, log, this.now());
      await tidyOutbox(database, settings.channels, { keptMs, now });
    } catch (error) {
      log.warn('Old messages could not be deleted', { cause: error });
    }
  }

  async #attempt(due: Due): Promise<Verdict> {
    const { database, settings, webUrl } = this.#parts;
    const outcome = await deliver(due, {
      settings: settings.channels,
      webUrl,
      now: this.now(),
      denied: settings.denied,
      signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(this.#timeoutMs)]),
      findAddress: (message) => findAddress(database.read, message),
    });
    return judge(due, outcome, this.#ending.signal.aborted);
  }

  #endRound(): void {
    this.#round = undefined;
    if (this.#isWoken) this.wake();
  }

  async #work(): Promise<void> {
    const { database, log, settings } = this.#parts;
    this.#isWoken = false;
    try {
      while ((await spreadAlerts(database, settings.channels, this.now())) > 0);
      for (const channel of this.channels) await this.#fill(channel);
    } catch (error) {
      log.error('The outbox of messages could not be read', { cause: error });
    }
  }

  /** Takes as many messages of a channel as may be under way. */
  async #fill(channel: NotificationChannel): Promise<void> {
    const sends = this.#underWay.get(channel) ?? new Set();
    this.#underWay.set(channel, sends);
    const free = mostAtOnce - sends.size;
    if (free <= 0 || this.#isStopped) return;
    for (const due of await takeDue(this.#parts.database, channel, free, this.now())) {
      const send: Promise<void> = this.send(due).finally(() => {
        sends.delete(send);
        // Its place is free.
        this.wake();
      });
      sends.add(send);
    }
  }
}

type Engine = {
  now(): number;
  readonly news: { onTasks(listener: (rows: readonly { status: string; end: number | null }[]) => void): void };
};

/** A sender that the engine wakes with every task that ends or waits for somebody. */
export function createSender(parts: Omit<SenderParts, 'now'>, engine: Engine): NotificationSender {
  const sender = new NotificationSender({ ...parts, now: () => engine.now() });
  engine.news.onTasks((rows) => {
    if (rows.some((row) => row.end !== null || row.status === 'waiting_confirmation')) sender.wake();
  });
  return sender;
}

/** Of a message that no server has lived to see sent. */
const cutOff: Verdict = { kind: 'failed', error: 'Every attempt was cut off by the end of a server' };

/** A test is tried once: whoever asked for it reads the outcome. What the end of the server cut off is tried again at once. */
function judge(due: Due, outcome: Outcome, isCut: boolean): Verdict {
  if (outcome.ok) return { kind: 'sent' };
  const { error, isFinal = false, waitMs = 0 } = outcome;
  if (isFinal || due.kind === 'test' || due.attempts >= maxAttempts) return { kind: 'failed', error };
  if (isCut) return { kind: 'later', error, waitMs: 0 };
  return { kind: 'later', error, waitMs: Math.min(longestWait, Math.max(waitAfter(due.attempts), waitMs)) };
}

import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { LogGrowth } from './log-upload.ts';

const channel = 'signalbox_logs';
/** Stands for the logs of all tasks. */
export const allTasks = 0;
const announceEveryMs = 100;
const wantEveryMs = 10_000;
const wantForMs = 25_000;

/**
 * Tells that logs have grown. Several servers share a database, and a browser may be at another one than the runner: a
 * server says whose logs are looked at there, and is told of those alone, ten times a second at most. Sent outside of
 * transactions, because a notice inside would serialise all commits of the database.
 */
export class LogNews {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #sender = randomUUID();
  readonly #onGrowth = new Set<(growth: readonly LogGrowth[]) => void>();
  /** How many look at a log here. */
  readonly #wanted = new Map<number, number>();
  /** Until when a log is looked at on another server. */
  readonly #wantedElsewhere = new Map<number, number>();
  readonly #unsent = new Map<number, LogGrowth>();
  readonly #stopListening: () => void;
  readonly #repeat: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
    this.#stopListening = database.notices.listen(channel, (text) => this.#receive(text));
    this.#repeat = setInterval(() => this.#repeatWants(), wantEveryMs);
    this.#repeat.unref();
  }

  onGrowth(listener: (growth: readonly LogGrowth[]) => void): void {
    this.#onGrowth.add(listener);
  }

  stop(): void {
    clearInterval(this.#repeat);
    clearTimeout(this.#timer);
    this.#stopListening();
    this.#onGrowth.clear();
  }

  /** @returns what ends the interest */
  want(taskId: number): () => void {
    const count = this.#wanted.get(taskId) ?? 0;
    this.#wanted.set(taskId, count + 1);
    if (count === 0) this.#send(`want ${taskId}`);
    return () => {
      const left = (this.#wanted.get(taskId) ?? 1) - 1;
      if (left > 0) this.#wanted.set(taskId, left);
      else this.#wanted.delete(taskId);
    };
  }

  publish(growth: readonly LogGrowth[]): void {
    this.#tell(growth);
    if (this.#database.engine === 'sqlite') return;
    const now = performance.now();
    for (const step of growth) {
      const until = Math.max(this.#wantedElsewhere.get(step.taskId) ?? 0, this.#wantedElsewhere.get(allTasks) ?? 0);
      if (until < now) continue;
      const unsent = this.#unsent.get(step.taskId);
      this.#unsent.set(step.taskId, unsent === undefined ? step : { ...step, first: unsent.first });
    }
    if (this.#unsent.size > 0) this.#timer ??= setTimeout(() => this.#announce(), announceEveryMs);
  }

  #tell(growth: readonly LogGrowth[]): void {
    for (const listener of this.#onGrowth) listener(growth);
  }

  #announce(): void {
    this.#timer = undefined;
    for (const { taskId, projectId, first, next } of this.#unsent.values()) {
      this.#send(`grew ${taskId} ${projectId} ${first} ${next}`);
    }
    this.#unsent.clear();
  }

  #repeatWants(): void {
    for (const taskId of this.#wanted.keys()) this.#send(`want ${taskId}`);
    const now = performance.now();
    for (const [taskId, until] of this.#wantedElsewhere) if (until < now) this.#wantedElsewhere.delete(taskId);
  }

  #send(text: string): void {
    if (this.#database.engine === 'sqlite') return;
    this.#database.notices.send(channel, `${this.#sender} ${text}`).catch((error: unknown) => {
      this.#log.warn('Other servers could not be told of a log', { cause: error });
    });
  }

  #receive(text: string): void {
    const [sender, kind, ...numbers] = text.split(' ');
    if (sender === this.#sender) return;
    const [taskId = 0, projectId = 0, first = 0, next = 0] = numbers.map(Number);
    if (kind === 'want') this.#wantedElsewhere.set(taskId, performance.now() + wantForMs);
    else if (kind === 'grew') this.#tell([{ taskId, projectId, first, next }]);
  }
}

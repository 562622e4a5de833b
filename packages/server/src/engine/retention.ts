import { setTimeout as wait } from 'node:timers/promises';
import { believeTime } from '../db/believed-time.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Clock } from './clock.ts';
import {
  deleteEventsBefore,
  deleteOldestTasks,
  findLastBefore,
  findSurplus,
  listGrown,
  listTemplatesFrom,
  type OldTasks,
} from './retention-queries.ts';

export type RetentionSettings = {
  /** Tasks of each template that are kept; 0 = all. */
  readonly tasksPerTemplate: number;
  /** Days after which a task is deleted; 0 = never. */
  readonly taskDays: number;
  readonly eventDays: number;
};

export type RetentionParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: RetentionSettings;
};

const everyMs = 600_000;
const dayMs = 86_400_000;
/** Between two transactions: whoever waits for the database is served first. */
const pauseMs = 20;

/**
 * Deletes what is older than it must be: the oldest tasks of a template beyond a number, tasks and events by age. In small
 * transactions with pauses, so that nobody notices. Logs go with their tasks, the statistics stay.
 */
export class Retention {
  readonly #parts: RetentionParts;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), everyMs);
    this.#timer.unref();
    void this.sweep();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#timer);
    await this.#running;
  }

  /** One sweep at a time; whoever asks during one gets that one. */
  sweep(): Promise<void> {
    this.#running ??= this.#sweepAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sweepAll(): Promise<void> {
    const { database, log, clock } = this.#parts;
    try {
      await this.#deleteSurplus();
      const now = await believeTime(database, log, clock.now());
      await this.#deleteOld(now);
      await this.#deleteEvents(now);
    } catch (error) {
      log.error('What is too old could not be deleted', { cause: error });
    }
  }

  async #deleteSurplus(): Promise<void> {
    const { database, settings } = this.#parts;
    const { tasksPerTemplate: kept } = settings;
    if (kept === 0) return;
    for (const templateId of await listGrown(database.read, kept)) {
      const last = await findSurplus(database.read, templateId, kept);
      if (last !== undefined) await this.#deleteTasks({ templateId, last, before: undefined });
    }
  }

  async #deleteOld(now: number): Promise<void> {
    const { database, settings } = this.#parts;
    if (settings.taskDays === 0) return;
    const before = now - settings.taskDays * dayMs;
    const last = await findLastBefore(database.read, before);
    if (last === undefined) return;
    for (let from = 0; ; ) {
      const templates = await listTemplatesFrom(database.read, from);
      for (const templateId of templates) await this.#deleteTasks({ templateId, last, before });
      const end = templates.at(-1);
      if (end === undefined || this.#stop.signal.aborted) return;
      from = end + 1;
    }
  }

  async #deleteTasks(old: OldTasks): Promise<void> {
    let after: number | undefined = 0;
    while (after !== undefined && !this.#stop.signal.aborted) {
      after = await deleteOldestTasks(this.#parts.database, old, after);
      if (after !== undefined) await this.#pause();
    }
  }

  async #deleteEvents(now: number): Promise<void> {
    const { database, settings } = this.#parts;
    if (settings.eventDays === 0) return;
    const before = now - settings.eventDays * dayMs;
    await this.#repeat(() => database.transact((db) => deleteEventsBefore(db, before)));
  }

  /** @param deleteSome answers how many went; it is called again while that is not 0 */
  async #repeat(deleteSome: () => Promise<number>): Promise<void> {
    while (!this.#stop.signal.aborted && (await deleteSome()) > 0) await this.#pause();
  }

  async #pause(): Promise<void> {
    const { signal } = this.#stop;
    await wait(pauseMs, undefined, { signal }).catch(() => undefined); // it was ended, and whoever waits sees that
  }
}

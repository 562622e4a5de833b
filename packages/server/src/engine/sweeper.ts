import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { explainLines } from './claim.ts';
import type { Clock, DatabaseClock } from './clock.ts';
import type { Dispatcher } from './dispatcher.ts';
import { expirePlans } from './expired-plans.ts';
import type { LiveHub } from './live-hub.ts';
import { closeLog, lossReason } from './log-end.ts';
import { deleteRetiredLogs } from './log-store.ts';
import type { ProbeBoard } from './probes.ts';
import { Pulse, type PulseFacts } from './pulse.ts';
import type { RunnerHub } from './runner-hub.ts';
import { deleteForgotten } from './runner-instances.ts';
import { RunnerWatch } from './runner-watch.ts';
import type { ScheduleTimer } from './schedule-timer.ts';
import { sweepSilent } from './silent-runners.ts';
import type { TaskNews } from './task-news.ts';

export type SweeperParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** To be brought in line with the other servers. */
  readonly databaseClock: DatabaseClock;
  readonly news: TaskNews;
  readonly live: Pick<LiveHub, 'noteChange'>;
  readonly hub: RunnerHub;
  readonly probes: ProbeBoard;
  readonly dispatcher: Dispatcher;
  readonly schedules: ScheduleTimer;
  readonly server: string;
  readonly settings: { readonly runnerSilentMs: number };
  readonly isBuiltInAlive: () => boolean;
};

const everyMs = 5000;
/** Of the deletion of old logs in one sweep: a project may leave 100,000 of them, and the rest must not wait for that. */
const maxRetireRounds = 50;
/** Sweeps so far apart: this process was stopped or asleep meanwhile, and heard nobody. */
const gapMs = 12_000;

/** The safety net under everything that is woken by events, and the one who watches the clock. */
export class Sweeper {
  readonly #parts: SweeperParts;
  readonly #pulse: Pulse;
  readonly #watch: RunnerWatch;
  #timer: NodeJS.Timeout | undefined;
  #healthySince: number;
  #lastSweep: number;
  #running: Promise<void> | undefined;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
    this.#pulse = new Pulse(parts);
    this.#watch = new RunnerWatch(parts.database, parts.live);
    this.#healthySince = parts.clock.now();
    this.#lastSweep = this.#healthySince;
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  readPulse(): PulseFacts {
    return this.#pulse.read();
  }

  /** One sweep at a time; whoever asks during one gets that one. */
  sweep(): Promise<void> {
    this.#running ??= this.#sweepAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sweepAll(): Promise<void> {
    const { database, log, clock, databaseClock, hub, probes, dispatcher, schedules } = this.#parts;
    await this.#pulse.beat();
    try {
      await databaseClock.adjust();
      const now = clock.now();
      if (now - this.#lastSweep > gapMs) this.#healthySince = now;
      this.#lastSweep = now;
      await this.#sweepSilent(now);
      this.#parts.news.publish(await expirePlans(database, now));
      await probes.sweep((instance) => hub.lastHeard(instance));
      hub.sweep();
      await schedules.sweep();
      dispatcher.wake(true);
      await explainLines(database);
      await this.#watch.look(now);
      await database.transact((db) => deleteForgotten(db, now));
      for (let round = 0; round < maxRetireRounds && (await deleteRetiredLogs(database)) > 0; round += 1);
      this.#pulse.noteSweep();
    } catch (error) {
      log.error('A sweep failed', { cause: error });
    }
  }

  async #sweepSilent(now: number): Promise<void> {
    const { database, news, hub, server, settings, isBuiltInAlive } = this.#parts;
    const { changed, lost } = await sweepSilent(database, {
      now,
      healthySince: Math.max(this.#healthySince, database.healthySince()),
      lastHeard: (instance) => hub.lastHeard(instance),
      isBuiltInAlive,
      server,
      silentMs: settings.runnerSilentMs,
    });
    for (const task of lost) await closeLog(database.logs, task.id, lossReason, now);
    news.publish(changed);
  }
}

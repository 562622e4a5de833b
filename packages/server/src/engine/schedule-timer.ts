import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Clock, DatabaseClock } from './clock.ts';
import { CommitChecks } from './commit-checks.ts';
import { startTask, takeTick } from './fire-schedule.ts';
import type { LiveHub } from './live-hub.ts';
import { judgeTicks, type Verdict } from './missed-ticks.ts';
import type { ProbeBoard } from './probes.ts';
import { realignSchedules } from './realign-schedules.ts';
import { noteProblem, type ScheduleRow } from './schedule-problem.ts';
import type { TaskNews } from './task-news.ts';
import type { TaskRow } from './task-record.ts';

export type ScheduleTimerParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** To be brought in line with the other servers before the first tick is looked at. */
  readonly databaseClock: DatabaseClock;
  readonly news: TaskNews;
  readonly live: Pick<LiveHub, 'noteChange'>;
  readonly probes: Pick<ProbeBoard, 'ask'>;
  readonly settings: {
    /** How old a tick may be that was missed and is run all the same, in milliseconds. */
    readonly catchUpMs: number;
  };
};

/** Schedules that are taken together. */
const atOnce = 16;
/** A longer one would be cut to nothing by the runtime. */
const longestTimer = 3_600_000;
/** How long a schedule that could not be taken is left to itself: the sweep comes by then. */
const retryMs = 5000;
/** Passes in which a schedule may fail before its tick is given up, so that the next one can come. */
const maxFailures = 3;
/** By so much less than before, a clock was set back. */
const backMs = 2000;

/**
 * Starts the tasks of schedules at their times: one timer for the nearest of them, set anew when a schedule is changed here or
 * on another server. Nothing but the database knows what is due, so any server may do it, and a tick belongs to the one whose
 * transaction takes it.
 */
export class ScheduleTimer {
  readonly #parts: ScheduleTimerParts;
  readonly #checks: CommitChecks;
  readonly #failures = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #isStopped = false;
  #lastNow = Number.POSITIVE_INFINITY;

  constructor(parts: ScheduleTimerParts) {
    this.#parts = parts;
    this.#checks = new CommitChecks(parts);
  }

  start(): void {
    this.#parts.news.onWake(() => void this.sweep());
    void this.sweep();
  }

  /** What is due now, and the timer for what comes then. One pass at a time; one that is asked for during another follows it. */
  sweep(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    if (this.#running !== undefined) this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** No tick is taken any more, and no answer of a runner: the next server goes on with both. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#checks.cancel();
    await this.#running;
  }

  /** Resolves when no check for commits is under way; after the end of those who answer them. */
  settle(): Promise<void> {
    return this.#checks.settle();
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      let delay = retryMs;
      try {
        delay = await this.#pass();
      } catch (error) {
        this.#parts.log.error('Schedules could not be looked after', { cause: error });
      }
      clearTimeout(this.#timer);
      if (this.#isStopped) return;
      this.#timer = setTimeout(() => void this.sweep(), Math.min(delay, longestTimer)).unref();
    } while (this.#again);
  }

  /** @returns when to come again, in milliseconds */
  async #pass(): Promise<number> {
    const { database, clock, log } = this.#parts;
    await this.#noteClock();
    const failed = new Set<number>();
    const verdicts = new Map<string, Verdict>();
    for (;;) {
      const now = clock.now();
      const due = await this.#listDue(now, failed);
      if (due.length === 0 || this.#isStopped) break;
      await Promise.all(
        due.map(async (schedule) => {
          try {
            await this.#fire(schedule, verdicts, now);
            this.#failures.delete(schedule.id);
          } catch (error) {
            failed.add(schedule.id);
            log.error('The tick of a schedule could not be taken', { schedule: schedule.id, cause: error });
          }
        }),
      );
      await new Promise(setImmediate);
    }
    for (const id of failed) await this.#noteFailure(id);
    const row = await database.read
      .selectFrom('schedule')
      .select('next_fire')
      .where('active', '=', true)
      .where('next_fire', 'is not', null)
      .orderBy('next_fire')
      .limit(1)
      .executeTakeFirst();
    const wait = row?.next_fire == null ? longestTimer : row.next_fire - clock.now();
    return Math.max(wait, failed.size > 0 ? retryMs : 1);
  }

  /** Where the clock went back, next times that were set before may be too far off. So it is after a start, too. */
  async #noteClock(): Promise<void> {
    const { database, databaseClock, clock, log } = this.#parts;
    const isFirst = this.#lastNow === Number.POSITIVE_INFINITY;
    if (isFirst) await databaseClock.adjust();
    const now = clock.now();
    if (now < this.#lastNow - backMs) await realignSchedules(database, log, now);
    this.#lastNow = now;
  }

  #listDue(now: number, failed: ReadonlySet<number>): Promise<ScheduleRow[]> {
    let query = this.#parts.database.read
      .selectFrom('schedule')
      .selectAll()
      .where('active', '=', true)
      .where('next_fire', '<=', now);
    if (failed.size > 0) query = query.where('id', 'not in', [...failed]);
    return query.orderBy('next_fire').orderBy('id').limit(atOnce).execute();
  }

  async #fire(schedule: ScheduleRow, verdicts: Map<string, Verdict>, now: number): Promise<void> {
    const { database, news, live } = this.#parts;
    const verdict = this.#judge(schedule, verdicts, now);
    const tick = { schedule, verdict, now };
    const { task, check } = await database.transact(async (db) => {
      const taken = await takeTick(db, tick);
      const nominal = verdict.run;
      if (taken === undefined || nominal === undefined) return {};
      if (taken.repository_id !== null) return { check: () => this.#checks.begin(taken, nominal) };
      return { task: await startTask(db, database.keyring, taken, { nominal, commit: null, now }) };
    });
    if (task !== undefined) news.publish([task satisfies TaskRow]);
    live.noteChange(schedule.project_id, 'schedules');
    check?.();
  }

  /** Many schedules have the same text, and working it out takes longer than everything else here. */
  #judge(schedule: ScheduleRow, verdicts: Map<string, Verdict>, now: number): Verdict {
    const nominal = schedule.next_fire ?? now;
    // A look for commits finds what there is, however late it comes.
    const latest = schedule.repository_id === null ? this.#parts.settings.catchUpMs : Number.POSITIVE_INFINITY;
    const key = `${schedule.cron_format}\n${schedule.timezone}\n${nominal}\n${latest}`;
    const known = verdicts.get(key);
    if (known !== undefined && (known.next === null || known.next > now)) return known;
    const verdict = judgeTicks(schedule, nominal, now, latest);
    verdicts.set(key, verdict);
    return verdict;
  }

  /** Something of it is damaged: it must not be tried for ever, nor stand in the way of its next tick. */
  async #noteFailure(id: number): Promise<void> {
    const count = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, count);
    if (count < maxFailures) return;
    this.#failures.delete(id);
    const { database, clock } = this.#parts;
    await database.transact(async (db) => {
      const row = await db.selectFrom('schedule').selectAll().where('id', '=', id).executeTakeFirst();
      if (row === undefined) return;
      await db
        .updateTable('schedule')
        .set({ next_fire: findNext(row, clock.now()) })
        .where('id', '=', id)
        .where('next_fire', '<=', clock.now())
        .execute();
      await noteProblem(db, row, {
        code: 'failed',
        text: 'something of it is damaged; the log of the server says more',
      });
    });
  }
}

/** Null where the text itself cannot be read by this server, as a zone that its machine does not know. */
function findNext(schedule: ScheduleRow, now: number): number | null {
  try {
    return judgeTicks(schedule, now, now, 0).next;
  } catch {
    return null; // it was logged when it failed first
  }
}

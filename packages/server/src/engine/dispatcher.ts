import { sealAad } from '@signalbox/contract/runner-protocol';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { claimTasks } from './claim.ts';
import type { Clock } from './clock.ts';
import { type JobRows, readJobRows } from './job-rows.ts';
import { closeLog, deleteLog } from './log-end.ts';
import { JobProblem, type JobSettings, makeJob } from './make-job.ts';
import { onlineMs } from './runner-facts.ts';
import type { RunnerSession } from './runner-session.ts';
import { sealFor } from './seal-job.ts';
import type { TaskNews } from './task-news.ts';
import type { TaskRow } from './task-record.ts';
import { readForChange, takeSteps } from './task-steps.ts';

export type DispatcherParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly news: TaskNews;
  readonly settings: JobSettings & { readonly maxParallelTasks: number };
  readonly sessions: () => Iterable<RunnerSession>;
};

/** Reasons change with every start; a person reads one in a second at most. */
const explainEveryMs = 1000;

/**
 * Hands waiting tasks to the runners that wait here. Whatever could let a task start wakes it; there is one pending flag
 * and no queue of wake-ups, because a pass always looks at everything.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  /** By project, when a task of it was last started here. */
  readonly #turns = new Map<number, number>();
  #lastTurn = 0;
  #isPending = false;
  #isRunning = false;
  #mustExplain = false;
  #lastExplained = Number.NEGATIVE_INFINITY;
  #explainTimer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #onIdle: (() => void)[] = [];

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** @param explain whether waiting tasks shall learn why they wait */
  wake(explain = false): void {
    if (this.#isStopped) return;
    this.#isPending = true;
    if (explain) this.#mustExplain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resolves when the pass that is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#explainTimer);
    if (this.#isRunning) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  async #run(): Promise<void> {
    while (this.#isPending && !this.#isStopped) {
      this.#isPending = false;
      try {
        await this.#pass();
      } catch (error) {
        // Whatever was claimed and not handed over waits again; the next sweep tries once more.
        this.#parts.log.error('Waiting tasks could not be handed out', { cause: error });
        break;
      }
    }
    this.#isRunning = false;
    for (const onIdle of this.#onIdle.splice(0)) onIdle();
  }

  async #pass(): Promise<void> {
    const { database, clock, news, settings, sessions } = this.#parts;
    const takers = [...sessions()].flatMap((session) => {
      const runner = session.toTaker();
      return runner === undefined || runner.free === 0 ? [] : [{ session, runner, release: session.expectWork() }];
    });
    try {
      const claimed = await claimTasks(database, {
        takers: takers.map(({ runner }) => runner),
        serverLimit: settings.maxParallelTasks,
        onlineSince: clock.now() - onlineMs,
        explain: this.#takeExplain(),
        turns: this.#turns,
      });
      for (const task of claimed) this.#turns.set(task.project_id, ++this.#lastTurn);
      if (claimed.length === 0) return;
      // Lines are read in portions: there may be more where these came from.
      this.#isPending = true;
      news.publish(claimed);
      await this.#handOut(claimed, new Map(takers.map(({ session }) => [session.instance, session])));
    } finally {
      for (const { release } of takers) release();
    }
  }

  #takeExplain(): boolean {
    if (!this.#mustExplain) return false;
    const wait = this.#lastExplained + explainEveryMs - performance.now();
    if (wait > 0) {
      this.#explainTimer ??= setTimeout(() => {
        this.#explainTimer = undefined;
        this.wake(true);
      }, wait);
      return false;
    }
    this.#mustExplain = false;
    this.#lastExplained = performance.now();
    return true;
  }

  async #handOut(claimed: readonly TaskRow[], sessions: ReadonlyMap<string, RunnerSession>): Promise<void> {
    const { database } = this.#parts;
    // What an earlier claim has written is no part of this run.
    for (const task of claimed) if (task.fence > 1) await deleteLog(database.logs, task.id);
    const rows = await readJobRows(database.read, claimed);
    const refused = new Map<number, string>();
    for (const task of claimed) {
      const session = sessions.get(task.instance ?? '');
      if (session === undefined) continue;
      const reason = this.#giveJob(session, task, rows);
      if (reason !== undefined) refused.set(task.id, reason);
    }
    if (refused.size > 0) await this.#refuse(refused);
  }

  /** @returns why there is no job */
  #giveJob(session: RunnerSession, task: TaskRow, rows: JobRows): string | undefined {
    const { database, settings, log } = this.#parts;
    const publicKey = session.contact?.request.public_key ?? '';
    const claim = { task_id: task.id, fence: task.fence, claim_id: task.claim_id ?? '' };
    try {
      const job = makeJob(database.keyring, task, rows, settings);
      const sealed = sealFor(publicKey, JSON.stringify(job), sealAad(claim, session.instance));
      session.giveJob({ ...claim, sealed }, task);
      return undefined;
    } catch (error) {
      if (error instanceof JobProblem) return error.message;
      log.error('A task could not be made ready for its runner', { task: task.id, cause: error });
      return 'Its settings could not be read; the log of the server says more';
    }
  }

  async #refuse(refused: ReadonlyMap<number, string>): Promise<void> {
    const { database, clock, news } = this.#parts;
    const changed = await database.transact(async (db) => {
      const rows = await readForChange(db, [...refused.keys()]);
      const steps = [...rows.values()]
        .filter((task) => task.status === 'starting')
        .map((task) => ({ task, event: 'finish_error', set: { reason: refused.get(task.id) ?? '' } }) as const);
      return await takeSteps(db, database.keyring, steps, clock.now());
    });
    for (const task of changed) await closeLog(database.logs, task.id, null, clock.now());
    news.publish(changed);
  }
}

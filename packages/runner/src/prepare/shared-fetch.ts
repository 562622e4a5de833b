import { untilAborted } from '../pause.ts';

/** A piece of work that several tasks share. It is aborted when none of them waits for it any more. */
class SharedRun {
  readonly began = Date.now();
  readonly done: Promise<void>;
  readonly #abort = new AbortController();
  #waiters = 0;

  constructor(work: (signal: AbortSignal) => Promise<void>) {
    this.done = work(this.#abort.signal);
    // Whoever waits gets the failure; without this line a run that nobody waits for any more would end the process.
    this.done.catch(() => undefined);
  }

  get isAbandoned(): boolean {
    return this.#abort.signal.aborted;
  }

  async wait(signal: AbortSignal): Promise<void> {
    this.#waiters += 1;
    try {
      await untilAborted(this.done, signal);
    } finally {
      this.#waiters -= 1;
      if (this.#waiters === 0) this.#abort.abort(new Error('nobody waits for it any more'));
    }
  }
}

export type FetchKind = 'own' | 'shared' | 'earlier';

/**
 * Single flight. A fetch that began after a task was created has all that the task may ask for, so it serves every task that was
 * created before it began: the ones that wait for it, and the ones that come later.
 */
export class SharedFetch {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  #lastBegan = Number.NEGATIVE_INFINITY;
  #running: SharedRun | null = null;

  constructor(work: (signal: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  /** Sees to it that a fetch began at or after this moment and has ended well. @throws what the fetch throws */
  async serve(created: number, signal: AbortSignal): Promise<FetchKind> {
    for (;;) {
      if (this.#lastBegan >= created) return 'earlier';
      const running = this.#running;
      if (running === null) {
        await this.#start().wait(signal);
        return 'own';
      }
      if (running.began >= created && !running.isAbandoned) {
        await running.wait(signal);
        return 'shared';
      }
      // It began too early for us. When it ends, the first of those who waited starts the next one for all of them.
      const ended = running.done.catch(() => undefined);
      await untilAborted(ended, signal);
    }
  }

  #start(): SharedRun {
    const run = new SharedRun(this.#work);
    this.#running = run;
    const clear = (): void => {
      this.#running = null;
    };
    run.done.then(() => {
      this.#lastBegan = run.began;
      clear();
    }, clear);
    return run;
  }
}

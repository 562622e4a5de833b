import type { LiveLine } from '@signalbox/contract/live';
import type { LiveConnection } from './live-connection.ts';

export type LogView = {
  readonly connection: LiveConnection;
  readonly taskId: number;
  readonly projectId: number;
  /** First line that is wanted. */
  readonly from: number;
  readonly read: (taskId: number, from: number, count: number) => Promise<LiveLine[]>;
  readonly findState: (taskId: number) => Promise<{ lines: number; sealed: boolean }>;
  /** The subscription has ended by itself. */
  readonly onEnd: () => void;
};

/** At most 20 messages a second. */
const pauseMs = 50;
const mostLines = 2000;
const fewestLines = 20;
/** What one message holds, but for its last chunk. */
export const pageBytes = 256 * 1024;

/**
 * The lines of one task for one browser, by number and without a gap. Everything is read from the store, in order, what is
 * old and what has just come alike; news only says that there is more. So nothing can fall between the two.
 */
export class LogSubscription {
  readonly #view: LogView;
  #next: number;
  #isFinal: boolean;
  #hasNews = true;
  #isRunning = false;
  #isEnded = false;
  /** Lines may be long: the number that is read at once follows their length. */
  #count = 200;
  #lastSent = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;

  constructor(view: LogView, isFinal: boolean) {
    this.#view = view;
    this.#next = view.from;
    this.#isFinal = isFinal;
  }

  /** There is more, or the rights have changed. */
  note(isFinal = this.#isFinal): void {
    this.#isFinal = isFinal;
    this.#hasNews = true;
    if (this.#isRunning || this.#isEnded) return;
    this.#isRunning = true;
    void this.#run();
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#wake?.();
  }

  async #run(): Promise<void> {
    try {
      while (this.#hasNews && !this.#isEnded) {
        await this.#pause();
        if (!this.#isEnded) await this.#sendPage();
      }
    } catch {
      // The store did not answer. The client asks again by its own clock.
      this.#view.connection.close(1011, 'Try again');
    } finally {
      this.#isRunning = false;
    }
  }

  async #sendPage(): Promise<void> {
    const { connection, taskId, projectId, read, findState } = this.#view;
    this.#hasNews = false;
    if (!(await connection.maySee(projectId))) {
      return this.#finish({ type: 'refused', task_id: taskId, error: 'There is no such task' });
    }
    if (connection.isSlow) {
      const { lines } = await findState(taskId);
      return this.#finish({ type: 'behind', task_id: taskId, next: lines + 1 });
    }
    const isFinal = this.#isFinal;
    const lines = await read(taskId, this.#next, this.#count);
    if (this.#isEnded) return;
    const last = lines.at(-1);
    if (last === undefined) {
      const state = await findState(taskId);
      const isComplete = (state.sealed || isFinal) && state.lines < this.#next;
      if (isComplete) this.#finish({ type: 'sealed', task_id: taskId, lines: state.lines });
      return;
    }
    const next = last.line + (last.gap ?? 1);
    const first = this.#next;
    this.#next = next;
    this.#lastSent = performance.now();
    // There may be more, or the end of the log: looked for in any case.
    this.#hasNews = true;
    const text = JSON.stringify({ type: 'lines', task_id: taskId, first, next, lines });
    this.#adapt(text.length);
    connection.sendText(text);
  }

  #finish(message: Parameters<LiveConnection['send']>[0]): void {
    if (this.#isEnded) return;
    this.end();
    this.#view.connection.send(message);
    this.#view.onEnd();
  }

  #adapt(bytes: number): void {
    if (bytes > pageBytes) this.#count = Math.max(fewestLines, Math.floor(this.#count / 2));
    else if (bytes < pageBytes / 2) this.#count = Math.min(mostLines, this.#count * 2);
  }

  async #pause(): Promise<void> {
    const wait = this.#lastSent + pauseMs - performance.now();
    if (wait <= 0) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#timer = setTimeout(resolve, wait);
    });
  }
}

const longestTimer = 2 ** 31 - 1;

/** Counts the time that a task may take. It stands still while a person is waited for. */
export class TaskClock {
  #leftMs: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | null = null;
  #since = 0;

  /** @param seconds 0 = no limit */
  constructor(seconds: number, onEnd: () => void) {
    this.#leftMs = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
    this.#onEnd = onEnd;
  }

  go(): void {
    if (this.#timer !== null || this.#leftMs === Number.POSITIVE_INFINITY) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.min(longestTimer, Math.max(0, this.#leftMs)));
  }

  stop(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#leftMs -= performance.now() - this.#since;
  }
}

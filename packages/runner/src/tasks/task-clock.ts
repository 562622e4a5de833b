import { after } from '../pause.ts';

const longestTimer = 2 ** 31 - 1;

/** Counts the time that a task may take. It stands still while a person is waited for. */
export class TaskClock {
  #leftMs: number;
  readonly #onEnd: () => void;
  #callOff: (() => void) | null = null;
  #since = 0;

  /** @param seconds 0 = no limit */
  constructor(seconds: number, onEnd: () => void) {
    this.#leftMs = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
    this.#onEnd = onEnd;
  }

  go(): void {
    if (this.#callOff !== null || this.#leftMs === Number.POSITIVE_INFINITY) return;
    this.#since = performance.now();
    // A timer takes 24 days at most, and a task may take longer: then it is wound up again.
    const isLast = this.#leftMs <= longestTimer;
    const ring = isLast ? this.#onEnd : () => this.#windUp();
    this.#callOff = after(isLast ? Math.max(0, this.#leftMs) : longestTimer, ring);
  }

  #windUp(): void {
    this.stop();
    this.go();
  }

  stop(): void {
    if (this.#callOff === null) return;
    this.#callOff();
    this.#callOff = null;
    this.#leftMs -= performance.now() - this.#since;
  }
}

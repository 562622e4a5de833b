const windowMs = 60_000;
/** More than one installation has aliases; only what is older than a window is forgotten beyond it. */
const sweepAt = 10_000;

/** Counts what happens under a name in a minute. In memory: each server has its own count. */
export class RateLimit {
  readonly #most: number;
  readonly #windows = new Map<string, { since: number; count: number }>();

  /** @param most 0 = no limit */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one. @returns the seconds to wait where it is one too many, else 0 */
  take(name: string, now: number): number {
    if (this.#most === 0) return 0;
    if (this.#windows.size >= sweepAt) this.#sweep(now);
    const known = this.#windows.get(name);
    const window = known === undefined || now - known.since >= windowMs ? { since: now, count: 0 } : known;
    window.count += 1;
    this.#windows.set(name, window);
    return window.count > this.#most ? Math.max(1, Math.ceil((window.since + windowMs - now) / 1000)) : 0;
  }

  #sweep(now: number): void {
    for (const [name, { since }] of this.#windows) if (now - since >= windowMs) this.#windows.delete(name);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

const shortest = 100;
const longest = 2000;

/** Grows from 100 ms to 2 s, with jitter, so that a thousand runners do not come back at the same moment. */
export class Backoff {
  #next = shortest;

  reset(): void {
    this.#next = shortest;
  }

  async wait(signal: AbortSignal): Promise<void> {
    const delay = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(longest, this.#next * 2);
    await pause(delay, signal);
  }
}

/** Waits, and returns early when aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

/** Waits for a promise, but not longer than until the signal fires. @throws the abort reason, or what the promise throws */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

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

/**
 * Acts after a time. A process that was stopped for a while finds its timers due before it has looked at what came in meanwhile;
 * therefore it looks first: once for what was written and what has ended, and once more for the end of what was written.
 *
 * @returns what calls it off
 */
export function after(ms: number, act: () => void): () => void {
  let look: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    look = setImmediate(() => {
      look = setImmediate(act);
    });
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(look);
  };
}

/** Waits in the manner of `after`, and returns early when aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const callOff = after(ms, resolve);
  const onAbort = (): void => resolve();
  signal?.addEventListener('abort', onAbort);
  await promise;
  callOff();
  signal?.removeEventListener('abort', onAbort);
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

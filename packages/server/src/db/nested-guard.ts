import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Refuses a transaction that is asked for inside another one: on SQLite it would wait for the group that waits for it, for
 * ever; on PostgreSQL it would not see what the outer one did.
 */
export class NestedGuard {
  readonly #inside = new AsyncLocalStorage<{ open: boolean }>();

  refuse(): void {
    if (this.#inside.getStore()?.open) throw new Error('A transaction inside a transaction: hand its handle down');
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const place = { open: true };
    try {
      return await this.#inside.run(place, work);
    } finally {
      // What the callback has started may go on, and may ask for transactions of its own.
      place.open = false;
    }
  }
}

import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { NestedGuard } from './nested-guard.ts';
import { createSqliteHandle, type Statements } from './sqlite-dialect.ts';

/** Callbacks in one transaction at most: a longer queue must not keep the event loop from everything else. */
const maxGroup = 128;

type Entry<Tables> = {
  run(db: Kysely<Tables>): Promise<void>;
  /** Answers the caller, after COMMIT. */
  resolve(): void;
  reject(error: unknown): void;
  durable: boolean;
};

/**
 * All writes of one SQLite file. Callbacks are collected; one setImmediate runs them as savepoints inside one BEGIN
 * IMMEDIATE, then one COMMIT, then they are answered. So a hundred changes cost one fsync, and nobody hears of a change
 * that a power cut could take back. There is no window in which more of them are waited for: what arrives during an fsync
 * joins the next group, and a single change is not delayed.
 */
export class GroupCommit<Tables> {
  readonly #file: DatabaseSync;
  readonly #statements: Statements;
  readonly #onFailure: () => void;
  readonly #nested = new NestedGuard();
  #waiting: Entry<Tables>[] = [];
  #running = false;
  #closed = false;
  #onIdle: (() => void)[] = [];

  /** @param onFailure is told of a group that could not be begun or committed. */
  constructor(file: DatabaseSync, statements: Statements, onFailure: () => void) {
    this.#file = file;
    this.#statements = statements;
    this.#onFailure = onFailure;
  }

  async transact<T>(work: (db: Kysely<Tables>) => Promise<T>, durable = false): Promise<T> {
    this.#nested.refuse();
    if (this.#closed) throw new Error('The database is closed');
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: { value: T } | undefined;
    this.#waiting.push({
      run: async (db) => {
        result = { value: await work(db) };
      },
      resolve: () => (result === undefined ? reject(new Error('The callback was not run')) : resolve(result.value)),
      reject,
      durable,
    });
    this.#schedule();
    return await promise;
  }

  /** Refuses new work and resolves when what was asked for before has been committed. */
  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#running && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #schedule(): void {
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => {
      void this.#runGroup();
    });
  }

  /** Never rejects: whatever happens is told to the entries. */
  async #runGroup(): Promise<void> {
    const group = this.#waiting.splice(0, maxGroup);
    const durable = group.some((entry) => entry.durable);
    try {
      // A pragma that changes the durability has no effect inside a transaction.
      if (durable) this.#file.exec('pragma synchronous = full');
      await this.#commitGroup(group);
    } catch (error) {
      this.#onFailure();
      for (const entry of group) entry.reject(error);
    } finally {
      if (durable) this.#file.exec('pragma synchronous = normal');
      this.#running = false;
    }
    if (this.#waiting.length > 0) this.#schedule();
    else for (const onIdle of this.#onIdle.splice(0)) onIdle();
  }

  async #commitGroup(group: Entry<Tables>[]): Promise<void> {
    this.#file.exec('begin immediate');
    const answers: (() => void)[] = [];
    try {
      for (const entry of group) {
        const failure = await this.#runEntry(entry);
        // Some failures (disk full, I/O) end the whole transaction: what succeeded before it is gone too.
        if (failure !== undefined && !this.#file.isTransaction) throw failure.error;
        answers.push(failure === undefined ? entry.resolve : () => entry.reject(failure.error));
      }
      this.#file.exec('commit');
    } catch (error) {
      if (this.#file.isTransaction) this.#file.exec('rollback');
      throw error;
    }
    for (const answer of answers) answer();
  }

  async #runEntry(entry: Entry<Tables>): Promise<{ error: unknown } | undefined> {
    let open = true;
    const db = createSqliteHandle<Tables>(this.#statements, () => open);
    this.#file.exec('savepoint entry');
    try {
      await this.#nested.run(() => entry.run(db));
      this.#file.exec('release entry');
      return undefined;
    } catch (error) {
      if (this.#file.isTransaction) this.#file.exec('rollback to entry; release entry');
      return { error };
    } finally {
      open = false;
    }
  }
}

import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { TaskRow } from './task-record.ts';

const channel = 'signalbox_tasks';
/** Ids in one notice: PostgreSQL takes 8,000 bytes. */
const maxIds = 400;

/**
 * Tells everybody who must know that tasks have changed: the queue, the open syncs of runners, the browsers. Told after
 * the commit, and to the other servers of the same database by their ids alone.
 */
export class TaskNews {
  readonly #database: Database;
  readonly #log: Logger;
  /** Tells our own notices from those of others. */
  readonly #sender = randomUUID();
  readonly #onTasks = new Set<(rows: readonly TaskRow[]) => void>();
  readonly #onOwnTasks = new Set<(rows: readonly TaskRow[]) => void>();
  readonly #onWake = new Set<() => void>();
  readonly #unsent = new Set<number>();
  readonly #stopListening: () => void;
  #mustWake = false;
  #isSending = false;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
    this.#stopListening = database.notices.listen(channel, (text) => this.#receive(text));
    // What was missed while nobody listened is found by a sweep.
    database.notices.onReconnect(() => this.#tellWake());
  }

  onTasks(listener: (rows: readonly TaskRow[]) => void): void {
    this.#onTasks.add(listener);
  }

  /** @param listener is told of what this server has changed, and not of what others did. */
  onOwnTasks(listener: (rows: readonly TaskRow[]) => void): void {
    this.#onOwnTasks.add(listener);
  }

  /** @param listener is told when something besides a task changed that may let one start: a limit, a template, a runner. */
  onWake(listener: () => void): void {
    this.#onWake.add(listener);
  }

  publish(rows: readonly TaskRow[]): void {
    if (rows.length === 0) return;
    for (const listener of [...this.#onTasks, ...this.#onOwnTasks]) listener(rows);
    if (this.#database.engine === 'sqlite') return;
    for (const row of rows) this.#unsent.add(row.id);
    void this.#send();
  }

  wake(): void {
    this.#tellWake();
    if (this.#database.engine === 'sqlite') return;
    this.#mustWake = true;
    void this.#send();
  }

  stop(): void {
    this.#stopListening();
    this.#onTasks.clear();
    this.#onOwnTasks.clear();
    this.#onWake.clear();
  }

  #tellWake(): void {
    for (const listener of this.#onWake) listener();
  }

  /** One notice is under way at a time; what comes meanwhile goes together. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#unsent.size > 0 || this.#mustWake) {
        const ids = [...this.#unsent].slice(0, maxIds);
        for (const id of ids) this.#unsent.delete(id);
        this.#mustWake = false;
        await this.#database.notices.send(channel, `${this.#sender} ${ids.join(',')}`);
      }
    } catch (error) {
      // The sweep of the other servers finds what they were not told.
      this.#log.warn('Other servers could not be told of a change', { cause: error });
    } finally {
      this.#isSending = false;
    }
  }

  #receive(text: string): void {
    const [sender, list = ''] = text.split(' ');
    if (sender === this.#sender) return;
    const ids = list.split(',').filter((id) => id !== '');
    if (ids.length === 0) this.#tellWake();
    else void this.#tellTasks(ids.map(Number));
  }

  async #tellTasks(ids: number[]): Promise<void> {
    try {
      const rows = await this.#database.read.selectFrom('task').selectAll().where('id', 'in', ids).execute();
      for (const listener of this.#onTasks) listener(rows);
    } catch (error) {
      this.#log.warn('Changed tasks could not be read', { cause: error });
    }
  }
}

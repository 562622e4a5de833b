import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const busy = 5;

/**
 * The kernel lock of a data directory. It is free the moment its holder is gone, whatever ended it, so nothing can go stale. Only
 * SQLite may open the file: closing any other handle of it in this process would drop the lock.
 */
export class RunnerLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** null when another runner holds it. */
  static take(dataDir: string): RunnerLock | null {
    const database = new DatabaseSync(join(dataDir, 'lock.db'), { timeout: 0 });
    try {
      database.exec('begin exclusive');
      return new RunnerLock(database);
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === busy) return null;
      throw error;
    }
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

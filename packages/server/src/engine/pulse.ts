import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Clock, DatabaseClock } from './clock.ts';

export type PulseFacts = {
  /** The last thing that was to be stored could not be. */
  readonly isWriteRefused: boolean;
  /** Milliseconds since something was stored, and since the queue was looked after. */
  readonly sinceWrite: number;
  readonly sinceSweep: number;
  /** By how much the clock stands before the last time that this server or another one has stored. */
  readonly clockBehind: number;
  /** By how much the clock of the database is ahead of the one of this machine. */
  readonly clockError: number;
};

export type PulseParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly databaseClock: DatabaseClock;
  readonly server: string;
};

/** Rows of servers that are long gone. */
const forgetAfter = 24 * 3600 * 1000;
/** Clocks of several servers differ a little, and a beat takes its time. */
const tolerance = 5000;

/**
 * Proves every few seconds that this server can store something: a full disk or a database that only reads would otherwise
 * show when somebody launches a task.
 */
export class Pulse {
  readonly #parts: PulseParts;
  // Of the monotonic clock: the other one may be what is wrong.
  #lastWrite = performance.now();
  #lastSweep = performance.now();
  #isWriteRefused = false;
  #clockBehind = 0;

  constructor(parts: PulseParts) {
    this.#parts = parts;
  }

  read(): PulseFacts {
    const now = performance.now();
    return {
      isWriteRefused: this.#isWriteRefused,
      sinceWrite: now - this.#lastWrite,
      sinceSweep: now - this.#lastSweep,
      clockBehind: this.#clockBehind,
      clockError: this.#parts.databaseClock.offset,
    };
  }

  /** The queue was looked after, to the end. */
  noteSweep(): void {
    this.#lastSweep = performance.now();
  }

  /** Stores a sign of life. That it fails is noted and told once, and is nothing that a sweep should end at. */
  async beat(): Promise<void> {
    const { log, clock } = this.#parts;
    try {
      const seen = await this.#store(clock.now());
      this.#lastWrite = performance.now();
      this.#isWriteRefused = false;
      this.#noteClock(seen - clock.now());
    } catch (error) {
      if (!this.#isWriteRefused) log.error('The database does not store anything', { cause: error });
      this.#isWriteRefused = true;
    }
  }

  /** @returns the last time at which a server of this database has stored before */
  async #store(now: number): Promise<number> {
    const { database, server } = this.#parts;
    return await database.transact(async (db) => {
      const last = await db
        .selectFrom('server_pulse')
        .select((eb) => eb.fn.max('seen').as('seen'))
        .executeTakeFirst();
      await db
        .insertInto('server_pulse')
        .values({ server, seen: now })
        .onConflict((conflict) => conflict.column('server').doUpdateSet({ seen: now }))
        .execute();
      await db
        .deleteFrom('server_pulse')
        .where('seen', '<', now - forgetAfter)
        .execute();
      return last?.seen ?? 0;
    });
  }

  #noteClock(behind: number): void {
    this.#clockBehind = behind > tolerance ? behind : 0;
    if (this.#clockBehind === 0) return;
    this.#parts.log.warn('The clock was set back, or differs between servers', { behindMs: this.#clockBehind });
  }
}

import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Time of day in epoch milliseconds, on which all servers of one database agree. */
export type Clock = { now(): number };

/**
 * The clock of the database, as seen from here: leases of runners are compared between servers, whose own clocks may differ.
 * An embedded database has one server, and its own clock is good enough.
 */
export class DatabaseClock implements Clock {
  readonly #database: Database;
  #offset = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  /** By how much the clock of the database is ahead of the one of this machine. */
  get offset(): number {
    return this.#offset;
  }

  /** To be called now and then: clocks drift, and are set. */
  async adjust(): Promise<void> {
    if (this.#database.engine === 'sqlite') return;
    const asked = Date.now();
    const { rows } = await sql<{
      now: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(this.#database.read);
    const answered = Date.now();
    const [row] = rows;
    if (row !== undefined) this.#offset = Math.round(Number(row.now) - (asked + answered) / 2);
  }
}

import type { Kysely } from 'kysely';
import type { Reader } from './reader-protocol.ts';
import type { Keyring } from './secrets.ts';
import type { LogTables, StateTables } from './tables.ts';

/** A handle for queries on the state: the database itself, or a transaction of it. Always the first argument. */
export type Db = Kysely<StateTables>;
export type LogDb = Kysely<LogTables>;

/**
 * Both databases behind one shape. Reads go to `read`; every write goes through `transact`, also a single one.
 *
 * On SQLite `transact` is a group commit: what was asked for in one turn of the event loop runs as savepoints in one
 * transaction, and nobody is answered before its COMMIT. Therefore a callback awaits nothing but queries on its handle:
 * no network, no timers, no files. `read` is another connection and sees committed rows only.
 * On PostgreSQL each call is a transaction of its own; after a deadlock it is run again, so what a callback leaves
 * outside is set, not added to.
 */
export type Database = {
  readonly engine: 'sqlite' | 'postgres';
  readonly read: Db;
  /** Seals and opens the columns that hold secrets; see sealed-columns.ts. */
  readonly keyring: Keyring;
  transact<T>(work: (db: Db) => Promise<T>): Promise<T>;
  readonly logs: LogDatabase;
  /** Search and downloads of logs: in a thread of its own. */
  readonly reader: Reader;
  /** Between several servers on one database; SQLite has only one. */
  readonly notices: Notices;
  /** Time of the last failed contact with the database, or of the opening: no lease runs out on time before it. */
  healthySince(): number;
  close(): Promise<void>;
};

/** The log store has its own file on SQLite (synchronous=NORMAL) and its own durability on PostgreSQL. */
export type LogDatabase = {
  readonly engine: 'sqlite' | 'postgres';
  readonly read: LogDb;
  /** Durable against the end of this process; against power loss only with `durable` (used for the seal). */
  transact<T>(work: (db: LogDb) => Promise<T>, options?: { durable: boolean }): Promise<T>;
};

/** LISTEN/NOTIFY between servers: ids only, at most 8,000 bytes. */
export type Notices = {
  send(channel: string, text: string): Promise<void>;
  listen(channel: string, onNotice: (text: string) => void): () => void;
  /** After every (re)connect: what was missed must be swept. */
  onReconnect(sweep: () => void): void;
};

import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import { GroupCommit } from './group-commit.ts';
import type { Migration } from './migrations.ts';
import { createSqliteHandle, Statements } from './sqlite-dialect.ts';
import { StartRefusal } from './start-refusal.ts';

/** How long a statement waits for a writer of another process (a command line), in milliseconds. */
const busyTimeout = 5000;

type FileSettings = {
  synchronous: 'full' | 'normal';
  /** Pages in the write-ahead log from which on a commit moves them into the file. */
  checkpointPages: number;
  migrations: readonly Migration[];
  onFailure: () => void;
};

/**
 * One SQLite file with its two connections: one that writes, and one that reads what is committed. A file is touched by
 * SQLite only: opening and closing it by other means would drop the locks that this process holds.
 */
export class SqliteFile<Tables> {
  readonly read: Kysely<Tables>;
  readonly #writer: DatabaseSync;
  readonly #reader: DatabaseSync;
  readonly #commit: GroupCommit<Tables>;

  private constructor(file: string, writer: DatabaseSync, onFailure: () => void) {
    this.#writer = writer;
    this.#commit = new GroupCommit(writer, new Statements(writer), onFailure);
    this.#reader = openForReading(file);
    this.read = createSqliteHandle(new Statements(this.#reader), () => true);
  }

  static async open<Tables>(file: string, settings: FileSettings): Promise<SqliteFile<Tables>> {
    let writer: DatabaseSync | undefined;
    try {
      writer = new DatabaseSync(file, { timeout: busyTimeout });
      writer.exec(`pragma journal_mode = wal; pragma synchronous = ${settings.synchronous}; pragma foreign_keys = on`);
      writer.exec(
        `pragma wal_autocheckpoint = ${settings.checkpointPages}; pragma temp_store = memory; pragma cache_size = -16384`,
      );
      await migrateFile(writer, settings.migrations);
      return new SqliteFile<Tables>(file, writer, settings.onFailure);
    } catch (error) {
      writer?.close();
      throw explain(file, error);
    }
  }

  transact<T>(work: (db: Kysely<Tables>) => Promise<T>, durable = false): Promise<T> {
    return this.#commit.transact(work, durable);
  }

  async close(): Promise<void> {
    await this.#commit.close();
    this.#reader.close();
    // Moves the log into the file, so that a copy of the one file is whole.
    this.#writer.close();
  }
}

export function openForReading(file: string): DatabaseSync {
  const reader = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout });
  reader.exec('pragma temp_store = memory; pragma cache_size = -16384');
  return reader;
}

/** All steps that the file has not taken, in one transaction. Another process may migrate at the same time: one wins. */
async function migrateFile(writer: DatabaseSync, migrations: readonly Migration[]): Promise<void> {
  if (readVersion(writer) === migrations.length) return;
  writer.exec('begin immediate');
  try {
    const db = createSqliteHandle<unknown>(new Statements(writer), () => true);
    for (const migrate of migrations.slice(readVersion(writer))) await migrate(db, 'sqlite');
    writer.exec(`pragma user_version = ${migrations.length}`);
    writer.exec('commit');
  } catch (error) {
    if (writer.isTransaction) writer.exec('rollback');
    throw error;
  }
}

function readVersion(file: DatabaseSync): number {
  return Number(file.prepare('pragma user_version').get()?.user_version);
}

/** What a file says of itself, without leaving a trace. Undefined when there is no file. @throws StartRefusal when it cannot be read */
export function inspectFile(file: string): { version: number; facts: Map<string, string> } | undefined {
  if (!existsSync(file)) return undefined;
  const url = pathToFileURL(file);
  // Without a write-ahead log nobody has it open, and reading need not create one.
  if (!existsSync(`${file}-wal`)) url.search = '?mode=ro&immutable=1';
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(url, { readOnly: true, timeout: busyTimeout });
    const version = readVersion(connection);
    const hasFacts = connection.prepare(`select 1 from sqlite_master where name = 'installation'`).get() !== undefined;
    const rows = hasFacts ? connection.prepare('select key, value from installation').all() : [];
    return { version, facts: new Map(rows.map((row) => [String(row.key), String(row.value)])) };
  } catch (error) {
    throw explain(file, error);
  } finally {
    connection?.close();
  }
}

/**
 * Held by the one server of a data directory until it ends, however it ends: then the kernel drops it.
 * @returns what lets go of it
 * @throws StartRefusal when another server holds it
 */
export function holdServerLock(dataDir: string): () => void {
  const sentence = `The data directory ${dataDir} is in use by another Signalbox server.`;
  return holdLock(path.join(dataDir, 'lock.db'), sentence);
}

/** @param sentence refuses whoever comes second */
export function holdLock(file: string, sentence: string): () => void {
  let opened: DatabaseSync | undefined;
  try {
    // Whoever may read it could lock it. Opened by other means only before anybody can hold it.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    opened = new DatabaseSync(file, { timeout: 0 });
    opened.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    opened?.close();
    if (readResultCode(error) !== locked) throw explain(file, error);
    throw new StartRefusal(sentence, { cause: error });
  }
  const lock = opened;
  return () => {
    if (lock.isOpen) lock.close();
  };
}

const locked = 5;

/** What result codes of SQLite say of a file, in the words of an operator. */
const whyUnusable: Record<number, string> = {
  8: 'cannot be written by this user',
  10: 'cannot be read: its disk reports errors',
  11: 'is damaged: restore it from a backup',
  13: 'cannot be written: its disk is full',
  14: 'cannot be opened: it must be a file that this user may read',
  26: 'is not a database of Signalbox',
};

/** The one sentence for what an operator can mend; everything else stays as it is. */
function explain(file: string, error: unknown): unknown {
  const why = whyUnusable[readResultCode(error) ?? 0];
  return why === undefined ? error : new StartRefusal(`${file} ${why}.`, { cause: error });
}

/** The primary code: the other bits tell which call it was. */
function readResultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

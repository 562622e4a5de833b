import { existsSync } from 'node:fs';
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
    const writer = new DatabaseSync(file, { timeout: busyTimeout });
    try {
      writer.exec(`pragma journal_mode = wal; pragma synchronous = ${settings.synchronous}; pragma foreign_keys = on`);
      writer.exec(
        `pragma wal_autocheckpoint = ${settings.checkpointPages}; pragma temp_store = memory; pragma cache_size = -16384`,
      );
      await migrateFile(writer, settings.migrations);
      return new SqliteFile<Tables>(file, writer, settings.onFailure);
    } catch (error) {
      writer.close();
      throw error;
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

/** What a file says of itself, without leaving a trace. Undefined when there is no file. @throws StartRefusal */
export function inspectFile(file: string): { version: number; facts: Map<string, string> } | undefined {
  if (!existsSync(file)) return undefined;
  const url = pathToFileURL(file);
  // Without a write-ahead log nobody has it open, and reading need not create one.
  if (!existsSync(`${file}-wal`)) url.search = '?mode=ro&immutable=1';
  const connection = new DatabaseSync(url, { readOnly: true, timeout: busyTimeout });
  try {
    const version = readVersion(connection);
    const hasFacts = connection.prepare(`select 1 from sqlite_master where name = 'installation'`).get() !== undefined;
    const rows = hasFacts ? connection.prepare('select key, value from installation').all() : [];
    return { version, facts: new Map(rows.map((row) => [String(row.key), String(row.value)])) };
  } catch (error) {
    if (readResultCode(error) !== notDatabase) throw error;
    throw new StartRefusal(`${file} is not a database of Signalbox.`, { cause: error });
  } finally {
    connection.close();
  }
}

/**
 * Held by the one server of a data directory until it ends, however it ends: then the kernel drops it.
 * @returns what lets go of it
 * @throws StartRefusal when another server holds it
 */
export function holdServerLock(dataDir: string): () => void {
  const lock = new DatabaseSync(path.join(dataDir, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (readResultCode(error) !== locked) throw error;
    throw new StartRefusal(`The data directory ${dataDir} is in use by another Signalbox server.`, { cause: error });
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}

const locked = 5;
const notDatabase = 26;

function readResultCode(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined;
}

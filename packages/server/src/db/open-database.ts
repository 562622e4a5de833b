import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import type { Database } from './database.ts';
import { createKeyFile, findKeys, type KeySettings } from './encryption-keys.ts';
import { ReaderThread } from './reader.ts';
import { announceSealingKey, watchSealingKey } from './sealing-key.ts';
import { inspectSqlite, openSqlite } from './sqlite.ts';
import { holdServerLock } from './sqlite-file.ts';
import { StartRefusal } from './start-refusal.ts';

export type DatabaseSettings = KeySettings & {
  /** Of PostgreSQL; empty or undefined = the embedded database in the data directory. */
  url: string | undefined;
  /** The server holds the lock of its data directory for life; a command line does without. */
  exclusive?: boolean;
};

/**
 * Opens the database and brings its schema up to date. A schema or an encryption key that is not known, a data directory
 * that cannot be written or is another server's: refused before anything is written. @throws StartRefusal
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { dataDir, url } = settings;
  if (existsSync(dataDir)) refuseUnwritable(dataDir);
  // Most installations have the embedded database and never load the other.
  const postgres = url ? { ...(await import('./postgres.ts')), url } : undefined;
  const { facts, isCurrent } = postgres ? await postgres.inspectPostgres(postgres.url) : inspectSqlite(dataDir);
  const keys = findKeys(settings, facts);
  createDirectory(dataDir);
  // A command line changes the schema only while no server, perhaps an older one, works with it.
  const unlock = settings.exclusive || !isCurrent ? holdServerLock(dataDir) : () => undefined;
  try {
    const keyring = keys ?? (await createKeyFile(dataDir));
    const database = postgres ? await postgres.openPostgres(postgres.url, keyring) : await openSqlite(dataDir, keyring);
    if (!settings.exclusive) unlock();
    const opened = addReader(database, new ReaderThread({ dataDir, url }), unlock);
    return settings.exclusive ? await shareKeys(opened) : opened;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A server seals with the key that was announced last, its own to begin with. */
async function shareKeys(database: Database): Promise<Database> {
  try {
    await announceSealingKey(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const unwatch = watchSealingKey(database);
  return {
    ...database,
    close: () => {
      unwatch();
      return database.close();
    },
  };
}

function addReader(database: Omit<Database, 'reader'>, reader: ReaderThread, unlock: () => void): Database {
  const closeAll = async () => {
    await reader.close();
    await database.close();
    unlock();
  };
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  return { ...database, reader, close };
}

function createDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartRefusal(`The data directory ${dataDir} cannot be made.`, { cause: error });
  }
}

function refuseUnwritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartRefusal(`The data directory ${dataDir} cannot be written.`, { cause: error });
  }
}

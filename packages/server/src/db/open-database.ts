import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Database, LogDatabase } from './database.ts';
import { createKeyFile, findKeys, type KeySettings, listKeyFacts } from './encryption-keys.ts';
import { logMigrations, stateMigrations } from './migrations.ts';
import { holdServerLock, inspectFile, SqliteFile } from './sqlite-file.ts';
import { StartRefusal } from './start-refusal.ts';
import type { LogTables, StateTables } from './tables.ts';

export type DatabaseSettings = KeySettings & {
  /** Of PostgreSQL; empty or undefined = the embedded database in the data directory. */
  url: string | undefined;
  /** The server takes the lock of its data directory for life; a command line does without. */
  exclusive?: boolean;
};

/** Opens the database, brings its schema up to date, and refuses what it does not know before it writes anything. @throws StartRefusal */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  prepareDirectory(settings.dataDir);
  return openEmbedded(settings);
}

function prepareDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartRefusal(`The data directory ${dataDir} cannot be written.`, { cause: error });
  }
}

async function openEmbedded(settings: DatabaseSettings): Promise<Database> {
  const { dataDir, exclusive } = settings;
  const stateFile = path.join(dataDir, 'state.db');
  const logFile = path.join(dataDir, 'logs.db');
  refuseNewer(stateFile, stateMigrations.length);
  const known = inspectFile(stateFile)?.facts ?? new Map();
  const given = findKeys(settings, known);
  refuseNewer(logFile, logMigrations.length);
  const lock = exclusive ? holdServerLock(dataDir) : undefined;
  if (exclusive && lock === undefined) {
    throw new StartRefusal(`The data directory ${dataDir} is in use by another Signalbox server.`);
  }
  const keyring = given ?? (await createKeyFile(dataDir));
  let healthySince = Date.now();
  const onFailure = () => {
    healthySince = Date.now();
  };
  const state = await SqliteFile.open<StateTables>(stateFile, {
    synchronous: 'full',
    migrations: stateMigrations,
    onFailure,
  });
  const logs = await SqliteFile.open<LogTables>(logFile, {
    synchronous: 'normal',
    migrations: logMigrations,
    onFailure,
  });
  await state.transact(async (db) => {
    await db
      .insertInto('installation')
      .values(listKeyFacts(keyring))
      .onConflict((it) => it.doNothing())
      .execute();
  });
  const logDatabase: LogDatabase = {
    read: logs.read,
    transact: (work, options) => logs.transact(work, options?.durable),
  };
  return {
    engine: 'sqlite',
    read: state.read,
    keyring,
    transact: (work) => state.transact(work),
    logs: logDatabase,
    notices: { send: async () => undefined, listen: () => () => undefined, onReconnect: () => undefined },
    healthySince: () => healthySince,
    close: async () => {
      await state.close();
      await logs.close();
      lock?.close();
    },
  };
}

function refuseNewer(file: string, known: number): void {
  const version = inspectFile(file)?.version ?? 0;
  if (version > known) {
    throw new StartRefusal(
      `The database ${file} has schema version ${version}, and this Signalbox knows versions up to ${known}: use the newer Signalbox.`,
    );
  }
}

import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Database } from './database.ts';
import { describeSealingKey } from './encryption-keys.ts';
import { logMigrations, stateMigrations } from './migrations.ts';
import type { Keyring } from './secrets.ts';
import { inspectFile, SqliteFile } from './sqlite-file.ts';
import { StartRefusal } from './start-refusal.ts';
import type { LogTables, StateTables } from './tables.ts';

export function stateFile(dataDir: string): string {
  return path.join(dataDir, 'state.db');
}

export function logFile(dataDir: string): string {
  return path.join(dataDir, 'logs.db');
}

/** What the database says of itself; nothing is written. @throws StartRefusal */
export function inspectSqlite(dataDir: string): { facts: ReadonlyMap<string, string>; isCurrent: boolean } {
  const logs = inspectKnown(logFile(dataDir), logMigrations.length);
  const state = inspectKnown(stateFile(dataDir), stateMigrations.length);
  return { facts: state.facts, isCurrent: logs.isCurrent && state.isCurrent };
}

function inspectKnown(file: string, known: number): { facts: ReadonlyMap<string, string>; isCurrent: boolean } {
  const found = inspectFile(file);
  if (found !== undefined && found.version > known) {
    throw new StartRefusal(
      `The database ${file} has schema version ${found.version}, and this Signalbox knows versions up to ${known}: use the newer Signalbox.`,
    );
  }
  return { facts: found?.facts ?? new Map(), isCurrent: found?.version === known };
}

export async function openSqlite(dataDir: string, keyring: Keyring): Promise<Omit<Database, 'reader'>> {
  let healthySince = Date.now();
  const onFailure = () => {
    healthySince = Date.now();
  };
  const state = await openFile<StateTables>(stateFile(dataDir), {
    synchronous: 'full',
    checkpointPages: 1000,
    migrations: stateMigrations,
    onFailure,
  });
  const logs = await openFile<LogTables>(logFile(dataDir), {
    synchronous: 'normal',
    checkpointPages: 4000,
    migrations: logMigrations,
    onFailure,
  });
  await state.transact((db) =>
    db
      .insertInto('installation')
      .values(describeSealingKey(keyring))
      .onConflict((it) => it.doNothing())
      .execute(),
  );
  return {
    engine: 'sqlite',
    read: state.read,
    keyring,
    transact: (work) => state.transact(work),
    logs: {
      engine: 'sqlite',
      read: logs.read,
      transact: (work, options) => logs.transact(work, options?.durable),
    },
    notices: silentNotices,
    healthySince: () => healthySince,
    close: async () => {
      await state.close();
      await logs.close();
    },
  };
}

/** There is no other server. */
const silentNotices: Database['notices'] = {
  send: async () => undefined,
  listen: () => () => undefined,
  onReconnect: () => undefined,
};

async function openFile<Tables>(
  file: string,
  settings: Parameters<typeof SqliteFile.open>[1],
): Promise<SqliteFile<Tables>> {
  // For the server's user only, also where the directory is older and open to others. SQLite takes the mode over to its
  // other files.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  return await SqliteFile.open<Tables>(file, settings);
}

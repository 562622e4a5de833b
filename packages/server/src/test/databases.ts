import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';

export type TestDatabase = {
  database: Database;
  /** A directory of its own; removed by `remove`. */
  dataDir: string;
  /** Closes the database and leaves nothing behind. */
  remove(): Promise<void>;
};

/** A migrated, empty database of the engine under test. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'signalbox-test-'));
  const database = await openDatabase({ dataDir, url: undefined });
  return {
    database,
    dataDir,
    remove: async () => {
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

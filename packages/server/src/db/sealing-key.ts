import type { Database, Db } from './database.ts';
import { describeSealingKey } from './encryption-keys.ts';

/** Row of `installation`: id of the key that seals. Every running server follows it. */
const fact = 'sealing_key';
const everyMs = 2000;
/** After this long every server has seen a new key, and what it sealed with the old one is stored. */
export const takeUpMs = 3 * everyMs;

/** The key of this process seals from now on, at all servers of the database. */
export async function announceSealingKey(database: Database): Promise<void> {
  const { keyring } = database;
  const rows = [describeSealingKey(keyring), { key: fact, value: keyring.sealingKey }];
  await database.transact((db) =>
    db
      .insertInto('installation')
      .values(rows)
      .onConflict((it) => it.column('key').doUpdateSet({ value: (row) => row.ref('excluded.value') }))
      .execute(),
  );
}

/** Id of the key that was announced last. */
export async function findSealingKey(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', fact).executeTakeFirst();
  return row?.value;
}

/** Takes up what another server or a command line has announced. */
export async function followSealingKey({ read, keyring }: Database): Promise<void> {
  const id = await findSealingKey(read);
  if (id !== undefined && id !== keyring.sealingKey) keyring.sealWith(id);
}

/** Returns what ends it. */
export function watchSealingKey(database: Database): () => void {
  const timer = setInterval(() => {
    // A database that does not answer now is asked again.
    followSealingKey(database).catch(() => undefined);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

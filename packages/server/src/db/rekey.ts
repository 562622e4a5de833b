import path from 'node:path';
import { sql } from 'kysely';
import type { Database, Db } from './database.ts';
import { addKeyToFile, describeSealingKey, factPrefix } from './encryption-keys.ts';
import { placeOf, type SealedColumn, sealedColumns } from './sealed-columns.ts';
import { announceSealingKey, findSealingKey } from './sealing-key.ts';
import { prefixOf } from './secrets.ts';
import { holdLock } from './sqlite-file.ts';
import { StartRefusal } from './start-refusal.ts';

/** Rows in memory and in one transaction: a running server waits for that long. */
const rowsAtOnce = 100;

export type Rekeyed = {
  /** Id of the key that seals everything now. */
  readonly key: string;
  readonly changed: number;
  /** What no key of the ring opens; it stays as it is, and the old keys stay known. */
  readonly unreadable: readonly string[];
};

/**
 * Seals every stored secret with the first key of the ring. It may be cut short at any point and begun again, and servers
 * may work meanwhile: they open both, and begin to seal with the new key within `takeUpMs`; what they sealed with the old
 * one until then is found by a second look.
 *
 * @param keyDirectory of a key file, which gets a new key in front; undefined where the keys are a setting
 */
export async function rekey(
  database: Database,
  keyDirectory: string | undefined,
  takeUp: () => Promise<void>,
): Promise<Rekeyed> {
  if (keyDirectory === undefined) return changeKey(database, undefined, takeUp);
  // Two that write the key file at once could lose a key that has sealed something.
  const unlock = holdLock(path.join(keyDirectory, 'rekey.db'), 'Another change of the encryption key is going on.');
  try {
    return await changeKey(database, keyDirectory, takeUp);
  } finally {
    unlock();
  }
}

async function changeKey(
  database: Database,
  keyDirectory: string | undefined,
  takeUp: () => Promise<void>,
): Promise<Rekeyed> {
  if (keyDirectory !== undefined && !(await hasBegun(database))) {
    database.keyring.sealWith(await addKeyToFile(keyDirectory));
  }
  await announceSealingKey(database);
  const first = await sealAll(database);
  await takeUp();
  const second = await sealAll(database);
  if (second.unreadable.length === 0) await forgetOtherKeys(database);
  return {
    key: database.keyring.sealingKey,
    changed: first.changed + second.changed,
    unreadable: second.unreadable,
  };
}

/** Rows may be sealed with another key than the first: an earlier change was not finished. */
async function hasBegun({ read, keyring }: Database): Promise<boolean> {
  const row = await selectOtherKeys(read, describeSealingKey(keyring).key).select('key').executeTakeFirst();
  return row !== undefined;
}

function selectOtherKeys(db: Db, own: string) {
  return db
    .selectFrom('installation')
    .where('key', '<>', own)
    .where(sql<string>`substr("key", 1, ${sql.lit(factPrefix.length)})`, '=', factPrefix);
}

/** @throws StartRefusal when a server has begun meanwhile whose first key is another one */
async function forgetOtherKeys(database: Database): Promise<void> {
  const own = describeSealingKey(database.keyring).key;
  await database.transact(async (db) => {
    const announced = await findSealingKey(db);
    if (announced !== database.keyring.sealingKey) {
      throw new StartRefusal(
        `A server was started that seals with the key ${announced}: give all servers the same keys.`,
      );
    }
    await db.deleteFrom('installation').where('key', 'in', selectOtherKeys(db, own).select('key')).execute();
  });
}

type Table = keyof typeof sealedColumns;
type Progress = { changed: number; unreadable: string[] };

async function sealAll(database: Database): Promise<Progress> {
  const progress: Progress = { changed: 0, unreadable: [] };
  for (const table of Object.keys(sealedColumns) as Table[]) await sealTable(database, table, progress);
  return progress;
}

type StaleRow = { id: number | string; sealed: string };

async function sealTable(database: Database, table: Table, progress: Progress): Promise<void> {
  let after: StaleRow['id'] | undefined;
  for (;;) {
    const rows = await listStale(database, table, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    const anew = rows.flatMap((row) => sealAnew(database, table, row, progress));
    await database.transact(async (db) => {
      for (const row of anew) await replace(db, table, row);
    });
    progress.changed += anew.length;
  }
}

async function listStale(database: Database, table: Table, after: StaleRow['id'] | undefined): Promise<StaleRow[]> {
  const { column, id, isLarge }: SealedColumn = sealedColumns[table];
  const prefix = prefixOf(database.keyring.sealingKey);
  const isFurther = after === undefined ? sql`true` : sql`${sql.ref(id)} > ${after}`;
  const { rows } = await sql<StaleRow>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${isFurther} and ${sql.ref(column)} is not null
      and substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) <> ${prefix}
    order by ${sql.ref(id)} limit ${sql.lit(isLarge === true ? 1 : rowsAtOnce)}`.execute(database.read);
  return rows;
}

/** The row with its new text; nothing where no key opens the old one. */
function sealAnew(
  { keyring }: Database,
  table: Table,
  { id, sealed }: StaleRow,
  { unreadable }: Progress,
): (StaleRow & { anew: string })[] {
  const place = placeOf(table, id);
  let secret: string;
  try {
    secret = keyring.open(sealed, place);
  } catch {
    unreadable.push(`${table} ${id}`); // why does not matter: all of them are told
    return [];
  }
  return [{ id, sealed, anew: keyring.seal(secret, place) }];
}

/** Unless somebody has stored another secret meanwhile, who did so with one key or the other. */
async function replace(db: Db, table: Table, row: StaleRow & { anew: string }): Promise<void> {
  const { column, id }: SealedColumn = sealedColumns[table];
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${row.anew}
    where ${sql.ref(id)} = ${row.id} and ${sql.ref(column)} = ${row.sealed}`.execute(db);
}

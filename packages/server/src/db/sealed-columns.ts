import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { Keyring, SecretPlace } from './secrets.ts';

/** Columns that hold sealed text, and the column whose value is their row's id in the seal. */
export const sealedColumns = {
  key: { column: 'secret', id: 'id' },
  environment_secret: { column: 'secret', id: 'id' },
  totp: { column: 'secret', id: 'id' },
  terraform_state: { column: 'state', id: 'id' },
  task_secret: { column: 'secret', id: 'task_id' },
  probe: { column: 'question', id: 'id' },
} as const;
export type SealedTable = keyof typeof sealedColumns;

/** Where the sealed text of a row lies. */
export function placeOf(table: SealedTable, id: number | string): SecretPlace {
  return { table, column: sealedColumns[table].column, id };
}

/**
 * Stores a secret in a row that exists, in the transaction that inserted it: the row's id is part of the seal, and is
 * known only then. Until then the column holds null or an empty text.
 */
export async function sealColumn(
  db: Db,
  keyring: Keyring,
  table: SealedTable,
  id: number | string,
  secret: string,
): Promise<void> {
  const columns = sealedColumns[table];
  await sql`update ${sql.table(table)} set ${sql.ref(columns.column)} = ${keyring.seal(secret, placeOf(table, id))}
    where ${sql.ref(columns.id)} = ${id}`.execute(db);
}

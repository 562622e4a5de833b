import type { SecretPlace } from './secrets.ts';

/** Columns that hold sealed text. What changes the encryption key goes through these. */
const sealedColumns = {
  key: 'secret',
  environment_secret: 'secret',
  totp: 'secret',
  terraform_state: 'state',
  task_secret: 'secret',
  probe: 'question',
} as const;

/**
 * Where the sealed text of a row lies. The row's id is part of it; where the database gives out ids, a row is inserted
 * first, and its secret sealed into it in the same transaction.
 */
export function placeOf(table: keyof typeof sealedColumns, id: number | string): SecretPlace {
  return { table, column: sealedColumns[table], id };
}

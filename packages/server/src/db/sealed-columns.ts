import type { SecretPlace } from './secrets.ts';

/** A column of sealed texts, and the column whose value is part of the seal. */
export type SealedColumn = { readonly column: string; readonly id: string; readonly isLarge?: true };

/** Every column that holds sealed text. What changes the encryption key goes through these. */
export const sealedColumns = {
  key: { column: 'secret', id: 'id' },
  environment_secret: { column: 'secret', id: 'id' },
  totp: { column: 'secret', id: 'id' },
  terraform_state: { column: 'state', id: 'id', isLarge: true },
  task_secret: { column: 'secret', id: 'task_id' },
  probe: { column: 'question', id: 'id' },
} as const satisfies Record<string, SealedColumn>;

/**
 * Where the sealed text of a row lies. The row's id is part of it; where the database gives out ids, a row is inserted
 * first, and its secret sealed into it in the same transaction.
 */
export function placeOf(table: keyof typeof sealedColumns, id: number | string): SecretPlace {
  return { table, column: sealedColumns[table].column, id };
}

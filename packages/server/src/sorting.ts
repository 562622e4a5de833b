import { type RawBuilder, sql } from 'kysely';

export type SortRequest = { sort?: string | undefined; order?: string | undefined };

/**
 * The order of a list: only columns that are offered, anything else falls back to the first. Texts sort without regard to
 * case; the id at the end makes the order the same each time.
 */
export function orderBy(request: SortRequest, table: string, columns: readonly string[]): RawBuilder<unknown> {
  const column = columns.find((offered) => offered === request.sort) ?? columns[0] ?? 'id';
  const direction = sql.raw(request.order === 'desc' ? 'desc' : 'asc');
  return sql`lower(${sql.ref(column.includes('.') ? column : `${table}.${column}`)}) ${direction}, ${sql.ref(`${table}.id`)} ${direction}`;
}

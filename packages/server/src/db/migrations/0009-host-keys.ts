import { type Kysely, sql } from 'kysely';
import type { Engine } from '../schema-builder.ts';

/** How the keys of hosts are checked: for a repository, and for the hosts of an inventory. What is there already keeps what it did. */
export async function addHostKeyPolicies(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const table of ['repository', 'inventory']) {
    await db.schema
      .alterTable(table)
      .addColumn('host_key_policy', sql.raw(engine === 'sqlite' ? 'text' : 'text collate "C"'), (column) =>
        column.notNull().defaultTo('accept-new'),
      )
      .execute();
  }
}

import { type Kysely, sql } from 'kysely';
import type { Engine } from '../schema-builder.ts';

/** The limit that a runner gets with the token that it registers with. */
export async function addRegistrationLimit(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('runner_registration')
    .addColumn('max_parallel_tasks', sql.raw(engine === 'sqlite' ? 'integer' : 'bigint'), (column) =>
      column.notNull().defaultTo(0),
    )
    .execute();
}

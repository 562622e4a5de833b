import { type Kysely, sql } from 'kysely';
import type { Engine } from '../schema-builder.ts';

/** A project that is deleted stays for as long as its last task needs to end. */
export async function addProjectRemoval(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('project')
    .addColumn('deleted', sql.raw(engine === 'sqlite' ? 'integer' : 'bigint'))
    .execute();
}

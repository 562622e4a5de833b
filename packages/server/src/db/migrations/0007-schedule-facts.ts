import { type Kysely, sql } from 'kysely';
import type { Engine } from '../schema-builder.ts';

/** What became of the latest tick of a schedule, and what the commit that it has seen is of. */
export async function addScheduleFacts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = sql.raw(engine === 'sqlite' ? 'text' : 'text collate "C"');
  await db.schema
    .alterTable('schedule')
    .addColumn('last_fire', sql.raw(engine === 'sqlite' ? 'integer' : 'bigint'))
    .execute();
  for (const name of ['problem', 'commit_source']) {
    await db.schema.alterTable('schedule').addColumn(name, text).execute();
  }
}

import { type Kysely, sql } from 'kysely';
import type { Engine } from '../schema-builder.ts';

/** What became of a call from outside, and the number under which its sender may not start a second task. */
export async function addDeliveryOutcome(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const text = sql.raw(engine === 'sqlite' ? 'text' : 'text collate "C"');
  await db.schema
    .alterTable('integration_delivery')
    .addColumn('outcome', text, (column) => column.notNull().defaultTo('not_started'))
    .execute();
  await db.schema.alterTable('integration_delivery').addColumn('claim', text).execute();
  await sql`create unique index integration_delivery_claim on integration_delivery (integration_id, claim)
    where claim is not null`.execute(db);
}

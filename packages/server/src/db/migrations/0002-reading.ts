import { type Kysely, sql } from 'kysely';
import { createTables, type Engine, number, type Table, text } from '../schema-builder.ts';

/** One row for each server of the database, written every few seconds: the proof that it can still write. */
const serverTables: readonly Table[] = [
  { name: 'server_pulse', columns: { server: text, seen: number }, primaryKey: ['server'] },
];

/** What lists, statistics and health read; and runners that are gone but are named by the tasks that they ran. */
export async function addReading(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTables(db, engine, serverTables);
  await db.schema
    .alterTable('runner')
    .addColumn('deleted', sql.raw(engine === 'sqlite' ? 'integer' : 'bigint'))
    .execute();
  await sql`create index task_project_status on task (project_id, status, id)`.execute(db);
  await sql`create index task_queue on task (id) where status = 'waiting'`.execute(db);
  await sql`create index task_count_template on task_count (template_id, bucket)`.execute(db);
}

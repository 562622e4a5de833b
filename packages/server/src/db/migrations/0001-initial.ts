import { type Kysely, sql } from 'kysely';
import { bytes, createTables, type Engine, maybeText, number, type Table } from '../schema-builder.ts';
import { peopleTables } from './0001-people.ts';
import { resourceTables } from './0001-resources.ts';
import { taskTables } from './0001-tasks.ts';
import { terraformTables } from './0001-terraform.ts';

export async function createState(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTables(db, engine, [...peopleTables, ...resourceTables, ...taskTables, ...terraformTables]);
  await createRetirement(db, engine);
}

/** Whatever deletes a task, by its id, with its template or with its project: its log is noted for deletion. */
async function createRetirement(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') {
    await sql`create trigger task_retire_log after delete on task begin
      insert or ignore into retired_log (task_id) values (old.id); end`.execute(db);
    return;
  }
  await sql`create function retire_log() returns trigger language plpgsql as $$
    begin insert into retired_log (task_id) values (old.id) on conflict do nothing; return null; end $$`.execute(db);
  await sql`create trigger task_retire_log after delete on task for each row execute function retire_log()`.execute(db);
}

const logTables: readonly Table[] = [
  {
    name: 'log_chunk',
    columns: {
      task_id: number,
      first_line: number,
      line_count: number,
      byte_count: number,
      crc: number,
      time: number,
      gap: maybeText,
      data: bytes,
    },
    primaryKey: ['task_id', 'first_line'],
  },
  {
    name: 'log_seal',
    columns: { task_id: number, lines: number, bytes: number, crc: number, sealed: number },
    primaryKey: ['task_id'],
  },
];

export async function createLogs(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTables(db, engine, logTables);
  // Chunks are compressed already.
  if (engine === 'postgres') await sql`alter table log_chunk alter column data set storage external`.execute(db);
}

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** What a request may leave behind although it changed nothing: that somebody called, and that he was refused. */
const traces: Record<string, string[]> = {
  session: ['last_active'],
  api_token: ['last_used'],
  // The queue says it by itself.
  task: ['waiting_reason'],
};
/**
 * Written by nobody's request, or only to count refusals. Logs of deleted tasks go with the next sweep, seconds after the
 * request that deleted a task; that one is seen by the row of the task.
 */
const leftOut = ['login_failure', 'server_pulse', 'runner_instance', 'retired_log'];

// biome-ignore lint/suspicious/noExplicitAny: the tables are found at run time, whichever database it is
type AnyDb = Kysely<any>;
type File = {
  readonly read: AnyDb;
  run(statements: RawBuilder<unknown>[]): Promise<void>;
  last: number;
};

/**
 * Tells which tables were written to. Triggers of the test's own database note every row that is inserted, changed or
 * deleted, so that nothing has to be compared; what is rolled back is not noted.
 */
export class ChangeWatch {
  readonly #files: File[];

  private constructor(files: File[]) {
    this.#files = files;
  }

  static async open(database: Database): Promise<ChangeWatch> {
    const { engine, logs } = database;
    const state = openFile(database.read, (work) => database.transact(work));
    const files = engine === 'sqlite' ? [state, openFile(logs.read, (work) => logs.transact(work))] : [state];
    for (const file of files) await file.run(await writeTriggers(file.read, engine));
    return new ChangeWatch(files);
  }

  /** The tables that were written to since it was asked before. */
  async changedTables(): Promise<string[]> {
    const found: string[] = [];
    for (const file of this.#files) {
      const query = sql<{ id: number; name: string }>`select id, name from test_change where id > ${file.last}`;
      const { rows } = await query.execute(file.read);
      file.last = Math.max(file.last, ...rows.map(({ id }) => Number(id)));
      found.push(...rows.map(({ name }) => name));
    }
    return [...new Set(found)].toSorted();
  }
}

function openFile(read: AnyDb, transact: (work: (db: AnyDb) => Promise<unknown>) => Promise<unknown>): File {
  return {
    read,
    last: 0,
    run: async (statements) => {
      await transact(async (db) => {
        for (const statement of statements) await statement.execute(db);
      });
    },
  };
}

type Column = { table: string; column: string };

async function writeTriggers(db: AnyDb, engine: Database['engine']): Promise<RawBuilder<unknown>[]> {
  const query =
    engine === 'sqlite'
      ? sql<Column>`select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
          where m.type = 'table' and m.name not like 'sqlite_%'`
      : sql<Column>`select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = 'public'`;
  const tables = Map.groupBy((await query.execute(db)).rows, ({ table }) => table);
  const written = [...tables].filter(([table]) => !leftOut.includes(table));
  const statements = written.flatMap(([table, columns]) => {
    const watched = columns.map(({ column }) => column).filter((column) => !traces[table]?.includes(column));
    return engine === 'sqlite' ? noteOnSqlite(table, watched) : [noteOnPostgres(table, watched)];
  });
  return [...(engine === 'sqlite' ? sqliteStart : postgresStart), ...statements];
}

const sqliteStart = [sql`create table test_change (id integer primary key, name text not null)`];

function noteOnSqlite(table: string, columns: string[]): RawBuilder<unknown>[] {
  const changes = ['insert', 'delete', `update of ${columns.map((column) => `"${column}"`).join(', ')}`];
  return changes.map((change, index) =>
    sql.raw(
      `create trigger "test_${table}_${index}" after ${change} on "${table}"
        begin insert into test_change (name) values ('${table}'); end`,
    ),
  );
}

const postgresStart = [
  sql`create table test_change (id bigint generated always as identity primary key, name text not null)`,
  sql.raw(`create function test_note() returns trigger language plpgsql as $$
    begin insert into test_change (name) values (tg_table_name); return null; end $$`),
];

function noteOnPostgres(table: string, columns: string[]): RawBuilder<unknown> {
  const update = `update of ${columns.map((column) => `"${column}"`).join(', ')}`;
  return sql.raw(
    `create trigger "test_${table}" after insert or delete or ${update} on "${table}"
      for each row execute function test_note()`,
  );
}

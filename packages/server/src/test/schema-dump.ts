import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** The schema as a person reads it, the same text for the same schema. */
export async function dumpSchema(database: Database): Promise<string> {
  return database.engine === 'sqlite' ? await dumpFiles(database) : await dumpPostgres(database);
}

async function dumpFiles(database: Database): Promise<string> {
  const parts: string[] = [];
  for (const [name, db] of [['state.db', database.read] as const, ['logs.db', database.logs.read] as const]) {
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_master where sql is not null and name not like 'sqlite_%'
      order by tbl_name, case type when 'table' then 0 else 1 end, name`.execute(db);
    parts.push(`-- ${name}`, ...rows.map((row) => `${breakLines(row.sql)};`));
  }
  return `${parts.join('\n')}\n`;
}

/** One column a line. */
function breakLines(statement: string): string {
  const text = statement.replace(/\s+/g, ' ');
  if (!/^create table/i.test(text)) return text;
  let depth = 0;
  let result = '';
  for (const letter of text) {
    if (letter === ')') depth -= 1;
    if (letter === ')' && depth === 0) result += '\n';
    result += letter;
    if (letter === '(') depth += 1;
    if (depth === 1 && (letter === ',' || letter === '(')) result += '\n ';
  }
  return result.replace(/^ {2,}/gm, '  ').replace(/\( *\n */, '(\n  ');
}

async function dumpPostgres(database: Database): Promise<string> {
  const { rows: tables } = await sql<{ id: number; name: string }>`
    select oid::bigint as id, relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`.execute(database.read);
  const parts: string[] = [];
  for (const { id, name } of tables) {
    const lines = await listColumns(database, id);
    parts.push(`table ${name}`, ...lines.map((line) => `  ${line}`));
  }
  const { rows: functions } = await sql<{ text: string }>`
    select pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'public'::regnamespace order by proname`.execute(database.read);
  return `${[...parts, ...functions.map((row) => row.text.replace(/\s+/g, ' ').trim())].join('\n')}\n`;
}

async function listColumns(database: Database, table: number): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select line from (
      select 1 as part, lpad(attnum::text, 5, '0') as position, concat_ws(' ', attname, format_type(atttypid, atttypmod),
        case when attcollation <> 0 then 'collate ' || (select collname from pg_collation c where c.oid = attcollation) end,
        case when attnotnull then 'not null' end, case when attidentity <> '' then 'identity' end,
        'default ' || pg_get_expr(d.adbin, d.adrelid), 'storage ' || nullif(attstorage::text, t.typstorage::text)) as line
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = ${table}::oid and a.attnum > 0 and not a.attisdropped
      union all
      select 2, conname, concat('constraint ', conname, ' ', pg_get_constraintdef(oid)) from pg_constraint
        where conrelid = ${table}::oid and contype <> 'n'
      union all
      select 3, relname, pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indexrelid
        where indrelid = ${table}::oid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
      union all
      select 4, tgname, pg_get_triggerdef(oid) from pg_trigger where tgrelid = ${table}::oid and not tgisinternal
    ) as lines order by part, position collate "C"`.execute(database.read);
  return rows.map((row) => row.line);
}

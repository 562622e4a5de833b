import { sql } from 'kysely';
import type { Database, Db } from '../db/database.ts';
import type { StateTables } from '../db/tables.ts';
import { insertTask } from './rows.ts';

/** Tables whose rows belong to a project. */
export async function listOwnedTables(database: Database): Promise<(keyof StateTables)[]> {
  const { rows } =
    database.engine === 'sqlite'
      ? await sql<{ name: keyof StateTables }>`
          select m.name as name from sqlite_master as m, pragma_table_info(m.name) as c
          where m.type = 'table' and c.name = 'project_id' order by 1`.execute(database.read)
      : await sql<{ name: keyof StateTables }>`
          select table_name as name from information_schema.columns
          where table_schema = 'public' and column_name = 'project_id' order by 1`.execute(database.read);
  return rows.map(({ name }) => name);
}

/** The rows that come of the use of a project: tasks, ticks, deliveries, states and the like. @returns the task */
export async function insertUse(database: Database, projectId: number): Promise<number> {
  const taskId = await database.transact((db) => insertRows(db, projectId));
  const line = { first_line: 1, line_count: 1, byte_count: 1, crc: 0, time: 0, gap: null, data: new Uint8Array() };
  await database.logs.transact((db) =>
    db
      .insertInto('log_chunk')
      .values({ ...line, task_id: taskId })
      .execute(),
  );
  return taskId;
}

async function insertRows(db: Db, project_id: number): Promise<number> {
  const first = (table: 'template' | 'schedule' | 'integration' | 'inventory') =>
    db.selectFrom(table).select('id').where('project_id', '=', project_id).executeTakeFirstOrThrow();
  const { id: template_id } = await first('template');
  const { id: inventory_id } = await first('inventory');
  const { id: schedule_id } = await first('schedule');
  const { id: integration_id } = await first('integration');
  const task_id = await insertTask(db, { project_id, template_id, integration_id, status: 'success' });
  const unique = `of-${project_id}`;
  await db.insertInto('schedule_tick').values({ schedule_id, nominal: 1, created: 1, task_id }).execute();
  await db
    .insertInto('task_count')
    .values([1, 2].map((bucket) => ({ project_id, template_id, user_id: 0, bucket, status: 'success', count: 1 })))
    .execute();
  const state = { project_id, inventory_id, template_id: null, workspace: 'w', task_id, created: 1 };
  await db
    .insertInto('terraform_state')
    .values({ ...state, serial: 1, state: 'sealed' })
    .execute();
  await db
    .insertInto('terraform_lock')
    .values({ ...state, lock_id: 'l', lock: '{}' })
    .execute();
  const { user_id } = await db
    .selectFrom('project_user')
    .select('user_id')
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  await db.insertInto('sign_in_grant').values({ user_id, project_id, role: 'guest' }).execute();
  const outbox = {
    channel: 'mail',
    target: 'x',
    payload: '{}',
    next_attempt: null,
    attempts: 0,
    sent: null,
    error: '',
  };
  await db
    .insertInto('notification')
    .values({ ...outbox, project_id, task_id, created: 1 })
    .execute();
  await db
    .insertInto('runner_registration')
    .values({ token_hash: unique, project_id, tag: null, created: 1, expires: 2, used: null })
    .execute();
  await db.insertInto('task_alert').values({ project_id, task_id, facts: '{}', created: 1 }).execute();
  const probe = { runner_tag: null, question: 'sealed', instance: null, claimed: null, attempts: 0, ok: null };
  await db
    .insertInto('probe')
    .values({ ...probe, id: unique, project_id, created: Date.now(), answer: null })
    .execute();
  await sql`insert into integration_delivery (project_id, integration_id, created, method, headers, body, verdict, task_id)
    values (${project_id}, ${integration_id}, 1, 'POST', '{}', ${new Uint8Array()}, '{}', ${task_id})`.execute(db);
  return task_id;
}

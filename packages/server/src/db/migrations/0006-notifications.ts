import { type Kysely, sql } from 'kysely';
import {
  createTables,
  type Engine,
  id,
  mayReference,
  number,
  references,
  type Table,
  text,
} from '../schema-builder.ts';

/** What is to be told of a task, before it is known to whom. */
const tables: readonly Table[] = [
  {
    name: 'task_alert',
    columns: {
      id,
      project_id: references('project', 'cascade'),
      task_id: mayReference('task', 'set null'),
      facts: text,
      created: number,
    },
  },
];

/** The outbox of messages: what each is about, who gets a mail, and the next one of a channel by an index. */
export async function addNotifications(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTables(db, engine, tables);
  const types =
    engine === 'sqlite' ? { number: 'integer', text: 'text' } : { number: 'bigint', text: 'text collate "C"' };
  await db.schema
    .alterTable('notification')
    .addColumn('kind', sql.raw(types.text), (column) => column.notNull().defaultTo('error'))
    .execute();
  await db.schema
    .alterTable('notification')
    .addColumn('user_id', sql.raw(types.number), (column) => column.references('user.id').onDelete('cascade'))
    .execute();
  await sql`create index notification_user_id on notification (user_id) where user_id is not null`.execute(db);
  await sql`drop index notification_next`.execute(db);
  await sql`create index notification_due on notification (channel, next_attempt)
    where next_attempt is not null`.execute(db);
}

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { insertProject, insertTask, insertTemplate, insertUser } from '../test/rows.ts';
import { isReferenceViolation, isUniqueViolation } from './constraint.ts';
import type { Database, Db } from './database.ts';
import type { StateTables } from './tables.ts';

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let opened: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    database = opened.database;
  });
  afterEach(() => opened.remove());

  async function count(table: keyof StateTables): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      database.read,
    );
    return Number(rows[0]?.count);
  }

  const fails = async (work: (db: Db) => Promise<unknown>, isExpected: (error: unknown) => boolean) => {
    const failure = await database.transact(work).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeDefined();
    expect(isExpected(failure)).toBe(true);
  };

  /** A project in which everything refers to everything else. */
  const fill = () =>
    database.transact(async (db) => {
      const project_id = await insertProject(db);
      const { id: key } = await db
        .insertInto('key')
        .values({ project_id, name: 'k', type: 'none', secret: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { id: repository_id } = await db
        .insertInto('repository')
        .values({ project_id, name: 'r', git_url: '/r', git_branch: 'main', ssh_key_id: key })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { id: inventory_id } = await db
        .insertInto('inventory')
        .values({
          project_id,
          name: 'i',
          inventory: '',
          type: 'static',
          ssh_key_id: key,
          become_key_id: key,
          repository_id,
          template_id: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const build = await insertTemplate(db, { project_id, repository_id, inventory_id, type: 'build' });
      const template_id = await insertTemplate(db, { project_id, repository_id, build_template_id: build });
      await db.updateTable('inventory').set({ template_id: build }).execute();
      const { id: integration_id } = await db
        .insertInto('integration')
        .values({
          project_id,
          name: 'hook',
          template_id,
          auth_method: '',
          auth_header: '',
          auth_secret_id: key,
          task_params: null,
          searchable: false,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const user_id = await insertUser(db);
      const first = await insertTask(db, { project_id, template_id: build, inventory_id, user_id, status: 'success' });
      const second = await insertTask(db, { project_id, template_id, integration_id, build_task_id: first, user_id });
      await db.updateTable('template').set({ last_task_id: second }).where('id', '=', template_id).execute();
      await db.insertInto('task_secret').values({ task_id: second, secret: 'sealed' }).execute();
      const event = { object_type: null, object_id: null, object_name: '', description: '', address: '', created: 1 };
      await db
        .insertInto('event')
        .values({ ...event, project_id, user_id, integration_id })
        .execute();
      return {
        project_id,
        key,
        repository_id,
        inventory_id,
        build,
        template_id,
        integration_id,
        user_id,
        first,
        second,
      };
    });

  test('a project takes everything with it that is its own, and notes the logs of its tasks', async () => {
    const { project_id, first, second } = await fill();
    await database.transact((db) => db.deleteFrom('project').where('id', '=', project_id).execute());
    for (const table of [
      'key',
      'repository',
      'inventory',
      'template',
      'integration',
      'task',
      'task_secret',
      'event',
    ] as const) {
      expect(await count(table), table).toBe(0);
    }
    expect(await count('user')).toBe(1);
    const retired = await database.read.selectFrom('retired_log').select('task_id').orderBy('task_id').execute();
    expect(retired.map((row) => row.task_id)).toEqual([first, second]);
  });

  test('what a template, a repository or an integration uses cannot be deleted', async () => {
    const { key, repository_id, inventory_id, build, template_id } = await fill();
    for (const [table, id] of [
      ['key', key],
      ['repository', repository_id],
      ['inventory', inventory_id],
    ] as const) {
      await fails((db) => db.deleteFrom(table).where('id', '=', id).execute(), isReferenceViolation);
    }
    // One is linked by a template that deploys it, the other by an integration.
    for (const id of [build, template_id]) {
      await fails((db) => db.deleteFrom('template').where('id', '=', id).execute(), isReferenceViolation);
    }
  });

  test('a template takes its tasks with it, once nothing else needs it', async () => {
    const { template_id, integration_id, first } = await fill();
    await database.transact(async (db) => {
      await db.deleteFrom('integration').where('id', '=', integration_id).execute();
      await db.deleteFrom('template').where('id', '=', template_id).execute();
    });
    const tasks = await database.read.selectFrom('task').select('id').execute();
    expect(tasks.map(({ id }) => id)).toEqual([first]);
    expect(await count('task_secret')).toBe(0);
  });

  test('a person leaves tasks and events behind, without a name', async () => {
    const { user_id } = await fill();
    await database.transact((db) => db.deleteFrom('user').where('id', '=', user_id).execute());
    const tasks = await database.read.selectFrom('task').select('user_id').execute();
    const events = await database.read.selectFrom('event').select('user_id').execute();
    expect([...tasks, ...events].map((row) => row.user_id)).toEqual([null, null, null]);
  });

  test('an id is never given out again', async () => {
    const first = await database.transact((db) => insertProject(db));
    await database.transact((db) => db.deleteFrom('project').execute());
    expect(await database.transact((db) => insertProject(db))).toBeGreaterThan(first);
  });

  test('names and addresses of people are unique in any letter case, an empty address is none', async () => {
    await database.transact((db) => insertUser(db, { username: 'Ada', email: 'ada@example.org' }));
    await fails((db) => insertUser(db, { username: 'ADA' }), isUniqueViolation);
    await fails((db) => insertUser(db, { username: 'bob', email: 'Ada@Example.org' }), isUniqueViolation);
    await database.transact((db) => insertUser(db, { username: 'bob' }));
    await database.transact((db) => insertUser(db, { username: 'cleo' }));
  });

  test('a template that runs one task at a time never has two, whatever decided so', async () => {
    const project_id = await database.transact((db) => insertProject(db));
    const template_id = await database.transact((db) => insertTemplate(db, { project_id }));
    const ids = await database.transact(async (db) => [
      await insertTask(db, { project_id, template_id, status: 'waiting_confirmation' }),
      await insertTask(db, { project_id, template_id }),
      await insertTask(db, { project_id, template_id }),
    ]);
    const start = (id: number | undefined, parallel: boolean) => (db: Db) =>
      db
        .updateTable('task')
        .set({ status: 'starting', parallel })
        .where('id', '=', id ?? 0)
        .execute();
    await fails(start(ids[1], false), isUniqueViolation);
    await database.transact(start(ids[1], true));
    await database.transact(start(ids[2], true));
  });

  test('flags, large numbers, bytes and sums come back as what went in', async () => {
    const { project_id, integration_id } = await fill();
    const body = Uint8Array.from([0, 255, 10, 0]);
    const row = { project_id, integration_id, method: 'POST', headers: '{}', verdict: '{}', task_id: null };
    await database.transact((db) =>
      db
        .insertInto('integration_delivery')
        .values({ ...row, created: Number.MAX_SAFE_INTEGER, body })
        .execute(),
    );
    const found = await database.read.selectFrom('integration_delivery').select(['created', 'body']).executeTakeFirst();
    expect(found?.created).toBe(Number.MAX_SAFE_INTEGER);
    expect([...(found?.body ?? [])]).toEqual([...body]);
    const user = await database.read.selectFrom('user').select(['admin', 'alert as is_told']).executeTakeFirst();
    expect({ ...user }).toEqual({ admin: false, is_told: false });
    const sum = await database.read
      .selectFrom('task')
      .select((it) => [it.fn.countAll<number>().as('count'), it.fn.sum<number>('created').as('sum')])
      .executeTakeFirst();
    expect({ ...sum }).toEqual({ count: 2, sum: 2 });
  });
});

import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { insertUser } from '../test/rows.ts';
import { stateFile } from './sqlite.ts';

let opened: TestDatabase;
/** Another process, as far as SQLite can tell: it sees what is committed. */
let onlooker: DatabaseSync;
beforeEach(async () => {
  opened = await openTestDatabase('sqlite');
  onlooker = new DatabaseSync(stateFile(opened.dataDir));
});
afterEach(async () => {
  onlooker.close();
  await opened.remove();
});

const listNames = () =>
  onlooker
    .prepare('select username from user order by id')
    .all()
    .map((row) => row.username);

test('a callback that fails takes back its own changes only', async () => {
  const { database } = opened;
  const add = (username: string, failure?: Error) =>
    database.transact(async (db) => {
      await insertUser(db, { username });
      if (failure !== undefined) throw failure;
      return username;
    });
  const answers = await Promise.allSettled([add('ada'), add('bob', new Error('no bob')), add('cleo'), add('ADA')]);
  expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(answers[1]).toMatchObject({ reason: { message: 'no bob' } });
  expect(listNames()).toEqual(['ada', 'cleo']);
});

test('nobody is answered before the commit, and nothing is seen before it', async () => {
  const { database } = opened;
  const seen: unknown[][] = [];
  const add = (username: string) =>
    database.transact(async (db) => {
      await insertUser(db, { username });
      seen.push(listNames());
    });
  const first = add('ada').then(() => seen.push(['answered', ...listNames()]));
  await Promise.all([first, add('bob')]);
  expect(seen).toEqual([[], [], ['answered', 'ada', 'bob']]);
});

test('what is asked for in one turn is one transaction', async () => {
  const { database } = opened;
  const changes = () => Number(onlooker.prepare('pragma data_version').get()?.data_version);
  const before = changes();
  const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
  await Promise.all(names.map((username) => database.transact((db) => insertUser(db, { username }))));
  expect(listNames()).toEqual(names);
  expect(changes()).toBe(before + 1);
});

test('a commit that fails is told to everyone whose changes it held', async () => {
  const { database } = opened;
  const add = (username: string) => database.transact((db) => insertUser(db, { username }));
  const answers = await Promise.allSettled([
    add('ada'),
    database.transact(async (db) => {
      // Then the reference to nobody is refused at the commit.
      await sql`pragma defer_foreign_keys = on`.execute(db);
      await db.insertInto('project_user').values({ project_id: 1, user_id: 99, role: 'guest' }).execute();
    }),
    add('bob'),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(listNames()).toEqual([]);
  await add('cleo');
  expect(listNames()).toEqual(['cleo']);
});

test('the handle of a transaction that has ended runs nothing', async () => {
  const { database } = opened;
  const late = await database.transact(async (db) => ({ add: () => insertUser(db) }));
  await expect(late.add()).rejects.toThrow('has ended');
});

test('state is synced at each commit, logs only where that is asked for', async () => {
  const { database } = opened;
  const full = 2;
  const normal = 1;
  const level = async <Tables>(db: Kysely<Tables>) =>
    (await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows[0]?.synchronous;
  expect(await database.transact(level)).toBe(full);
  expect(await database.logs.transact(level)).toBe(normal);
  expect(await database.logs.transact(level, { durable: true })).toBe(full);
  expect(await database.logs.transact(level)).toBe(normal);
});

test('a transaction inside another one is refused, and the outer one goes on', async () => {
  const { database } = opened;
  await database.transact(async (db) => {
    await expect(database.transact((inner) => insertUser(inner))).rejects.toThrow('inside a transaction');
    await insertUser(db, { username: 'bob' });
  });
  expect(listNames()).toEqual(['bob']);
});

test('flags are booleans in and out, under any name', async () => {
  const { database } = opened;
  const row = await database.transact(async (db) => {
    await insertUser(db, { admin: true });
    return await db
      .updateTable('user')
      .set({ alert: true })
      .returning(['admin as is_admin', 'alert', 'external'])
      .executeTakeFirst();
  });
  expect({ ...row }).toEqual({ is_admin: true, alert: true, external: false });
  const found = await database.read.selectFrom('user').select('username').where('admin', '=', true).execute();
  expect(found).toHaveLength(1);
});

test('what was asked for before the close is committed', async () => {
  const { database } = opened;
  const adding = database.transact((db) => insertUser(db));
  const closing = database.close();
  await Promise.all([adding, closing]);
  expect(listNames()).toEqual(['ada']);
  await expect(database.transact((db) => insertUser(db, { username: 'bob' }))).rejects.toThrow('closed');
});

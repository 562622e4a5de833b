import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { checkPassword, createFirstAdministrator } from './users.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.remove());

test('the first administrator is made once, with a password that is made up where none is given', async () => {
  const { database } = opened;
  const first = await createFirstAdministrator(database, { login: 'Admin', password: undefined });
  expect(first).toMatchObject({ login: 'admin', generated: true });
  expect(first?.password).toMatch(/^[a-z2-9]{20}$/);
  expect(await checkPassword(database, 'ADMIN', first?.password ?? '')).toBe(first?.id);
  expect(await createFirstAdministrator(database, { login: 'other', password: 'secret' })).toBeUndefined();
  const users = await database.read.selectFrom('user').selectAll().execute();
  expect(users).toMatchObject([{ username: 'admin', admin: true, external: false }]);
  expect(JSON.stringify(users)).not.toContain(first?.password ?? '');
});

test('two servers that start at once make one administrator', async () => {
  const other = await openTestDatabase();
  const wanted = { login: 'admin', password: 'secret-password' };
  const made = await Promise.all([
    createFirstAdministrator(other.database, wanted),
    createFirstAdministrator(other.database, wanted),
  ]);
  expect(made.filter((user) => user !== undefined)).toHaveLength(1);
  expect(made.find((user) => user !== undefined)?.generated).toBe(false);
  await other.remove();
});

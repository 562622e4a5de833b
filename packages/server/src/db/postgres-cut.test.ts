import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../test/databases.ts';

test('a connection that is cut between two statements of a transaction fails that transaction, and nothing else', async () => {
  const { database, remove } = await openTestDatabase('postgres');
  const cut = database.transact(async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const pid = rows[0]?.pid ?? 0;
    await sql`select pg_terminate_backend(${pid})`.execute(database.read);
    const isThere = async (): Promise<boolean> =>
      (await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(database.read)).rows.length > 0;
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
    await sql`select 1`.execute(db);
  });
  await expect(cut).rejects.toThrow();
  expect((await sql`select 1 as one`.execute(database.read)).rows).toEqual([{ one: 1 }]);
  await remove();
});

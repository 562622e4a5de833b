import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { countAttempt, countCodeAttempt, forgiveAttempt, groupAddress } from './login-limits.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
beforeEach(() => opened.database.transact((db) => db.deleteFrom('login_failure').execute()));
afterAll(() => opened.remove());

const count = (account: string, address: string, now: number) => countAttempt(opened.database, account, address, now);

test('the sixth attempt on an account within a minute is refused, from any address', async () => {
  for (let attempt = 0; attempt < 5; attempt++) await count('Admin', `10.0.0.${attempt}`, 1000 + attempt);
  await expect(count('admin ', '10.0.0.9', 2000)).rejects.toMatchObject({
    code: 'too_many_attempts',
    details: { retry_after: 59 },
  });
  await count('admin', '10.0.0.9', 61_000);
});

test('the 21st attempt from an address within a minute is refused, on any account', async () => {
  for (let attempt = 0; attempt < 20; attempt++) await count(`user-${attempt}`, '10.0.0.1', 1000);
  await expect(count('other', '10.0.0.1', 2000)).rejects.toMatchObject({ code: 'too_many_attempts' });
  await count('other', '10.0.0.2', 2000);
});

test('all spellings of a name are one account', async () => {
  const spellings = ['Jos\u00e9', 'jose\u0301', ' JOS\u00c9', 'JOSE\u0301 ', 'jos\u00e9'];
  for (const [at, name] of spellings.entries()) await count(name, `10.0.3.${at}`, 1000);
  await expect(count('Jose\u0301', '10.0.3.9', 2000)).rejects.toMatchObject({ code: 'too_many_attempts' });
});

test('a forgiven attempt does not count', async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const counted = await count('admin', '10.0.0.1', 1000);
    await opened.database.transact((db) => forgiveAttempt(db, counted));
  }
});

test('a hundred attempts at once do not all pass', async () => {
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => count('admin', '10.0.0.1', 1000)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

test('the 21st attempt at a second step within an hour is refused, and nobody else uses it up', async () => {
  const minute = 60_000;
  const countCode = (attempt: number, now: number) => countCodeAttempt(opened.database, 7, `10.0.1.${attempt}`, now);
  for (let attempt = 0; attempt < 20; attempt++) await countCode(attempt, attempt * 2 * minute);
  await count('second step of 7', '10.0.2.1', 39 * minute);
  await expect(countCode(21, 59 * minute)).rejects.toMatchObject({ details: { retry_after: 60 } });
  await countCode(22, 60 * minute);
});

test('neither account names nor what was typed for one are stored', async () => {
  await count('my-password', '10.0.0.1', 1000);
  const rows = await opened.database.read.selectFrom('login_failure').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('my-password');
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '::ffff:10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, group) => {
  expect(groupAddress(address)).toBe(group);
});

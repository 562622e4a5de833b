import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPassword, createFirstAdministrator } from './features/users/users.ts';
import { openTestDatabase, type TestDatabase } from './test/databases.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  await createFirstAdministrator(opened.database, { login: 'admin', password: 'first-password' });
});
afterAll(() => opened.remove());

/** Runs a command on the data of the open database, as an operator does beside a running server. */
async function runCommand(words: string[], input = ''): Promise<{ code: number; output: string; errors: string }> {
  const { dataDir, url, encryptionKey } = opened.settings;
  const child = spawn(process.execPath, [fileURLToPath(new URL('cli.ts', import.meta.url)), ...words], {
    env: {
      PATH: process.env.PATH,
      SIGNALBOX_DATA: dataDir,
      ...(url ? { SIGNALBOX_DATABASE_URL: url } : {}),
      ...(encryptionKey ? { SIGNALBOX_ENCRYPTION_KEY: encryptionKey } : {}),
    },
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: Number(code), output, errors };
}

const jane = ['--login', 'Jane', '--name', 'Jane', '--email', 'jane@example.com'];

test('an operator adds, lists, re-passwords and deletes a user while the database is open elsewhere', async () => {
  const { database } = opened;
  expect(await runCommand(['user', 'add', ...jane, '--admin'], 'pass-one\n')).toMatchObject({ code: 0 });
  const listed = await runCommand(['user', 'list']);
  expect(listed.output).toBe('admin\tAdministrator\t\tadmin\njane\tJane\tjane@example.com\tadmin\n');
  expect(await checkPassword(database, 'jane', 'pass-one')).toBeDefined();
  expect(await runCommand(['user', 'change-password', '--login', 'jane'], 'pass-two')).toMatchObject({ code: 0 });
  expect(await checkPassword(database, 'jane', 'pass-one')).toBeUndefined();
  expect(await checkPassword(database, 'jane', 'pass-two')).toBeDefined();
  expect(await runCommand(['user', 'delete', '--login', 'jane'])).toMatchObject({ code: 0 });
  expect((await runCommand(['user', 'list'])).output).not.toContain('jane');
});

test('the last administrator cannot be deleted', async () => {
  const refused = await runCommand(['user', 'delete', '--login', 'admin']);
  expect(refused).toEqual({ code: 1, output: '', errors: 'admin is the last administrator\n' });
});

test.each([
  [['user', 'add', ...jane], '', 'A password is required'],
  [['user', 'add', '--login', 'x'], 'pass\n', '--name is required'],
  [['user', 'add', '--login', 'ADMIN', '--name', 'a', '--email', 'a@example.com'], 'pass\n', 'already'],
  [['user', 'change-password', '--login', 'nobody'], 'pass\n', 'There is no user with the login nobody'],
  [['user', 'rename'], '', 'There is no command "user rename"'],
  [['--nonsense'], '', 'nonsense'],
])('%j is refused in words and with exit code 1', async (words, input, message) => {
  const refused = await runCommand(words, input);
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain(message);
  expect((await runCommand(['user', 'list'])).output).toBe('admin\tAdministrator\t\tadmin\n');
});

test('help and version need no database', async () => {
  expect((await runCommand(['--help'])).output).toContain('user change-password --login L');
  expect((await runCommand(['version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

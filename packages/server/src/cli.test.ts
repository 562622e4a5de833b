import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOf } from './db/sealed-columns.ts';
import { checkPassword, createFirstAdministrator } from './features/users/users.ts';
import { openTestDatabase, type TestDatabase } from './test/databases.ts';
import { insertProject } from './test/rows.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  await createFirstAdministrator(opened.database, { login: 'admin', password: 'first-password' });
});
afterAll(() => opened.remove());

/** Runs a command on the data of the open database, as an operator does beside a running server. */
async function runCommand(
  words: string[],
  input = '',
  encryptionKey = opened.settings.encryptionKey,
): Promise<{ code: number; output: string; errors: string }> {
  const { dataDir, url } = opened.settings;
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
  [['user', 'add', '--login', 'x', '--name', 'a', '--email', 'nobody'], 'pass\n', '--email must be an e-mail address'],
  [['user', 'list', 'more'], '', 'more'],
  [['user', 'rename'], '', 'There is no command "user rename"'],
  [['--nonsense'], '', 'nonsense'],
])('%j is refused in words and with exit code 1', async (words, input, message) => {
  const refused = await runCommand(words, input);
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain(message);
  expect((await runCommand(['user', 'list'])).output).toBe('admin\tAdministrator\t\tadmin\n');
});

test('an operator sees what is known of a user, by login or by address', async () => {
  const shown = await runCommand(['user', 'get', '--login', 'ADMIN']);
  expect(shown.output).toMatch(
    /^id +\d+\nlogin +admin\nname +Administrator\nemail\nadmin +yes\nexternal +no\ntwo-step +off\n/,
  );
  const unknown = await runCommand(['user', 'get', '--login', 'nobody']);
  expect(unknown).toEqual({ code: 1, output: '', errors: 'There is no user with the login nobody\n' });
});

test('the database of a running server is up to date', async () => {
  expect((await runCommand(['migrate'])).output).toMatch(/^The database is up to date \(schema version \d+\)\n$/);
});

test('the secrets of a running server are sealed with a new key', async () => {
  const { database } = opened;
  const sealed = database.keyring.seal('hunter2', placeOf('key', 1));
  const keyId = await database.transact(async (db) => {
    const project = await insertProject(db);
    const row = { id: 1, project_id: project, name: 'k', type: 'ssh' as const, secret: sealed };
    return (await db.insertInto('key').values(row).returning('id').executeTakeFirstOrThrow()).id;
  });
  const old = String(opened.settings.encryptionKey);
  const fresh = `fresh:${Buffer.alloc(32, 'f').toString('base64')}`;
  const done = await runCommand(['rekey'], '', `${fresh},${database.keyring.sealingKey}:${old}`);
  expect(done).toMatchObject({ code: 0, output: 'All secrets are sealed with the key fresh (1 changed)\n' });
  expect(done.output + done.errors).not.toContain(fresh.slice(6));
  const row = await database.read.selectFrom('key').select('secret').where('id', '=', keyId).executeTakeFirstOrThrow();
  expect(row.secret).toMatch(/^sb1:fresh:/);
});

test.each([
  ['user', 'list'],
  ['user', 'add'],
  ['user', 'get'],
  ['user', 'change-password'],
  ['user', 'delete'],
  ['migrate'],
  ['rekey'],
  ['version'],
])('%s %s explains itself and needs no database for it', async (...words) => {
  const explained = await runCommand([...words.filter(Boolean), '--help'], '', 'not a key');
  expect(explained).toMatchObject({ code: 0, errors: '' });
  expect(explained.output).toContain(`Usage: ./signalbox ${words.filter(Boolean).join(' ')}`);
});

test('help and version need no database', async () => {
  expect((await runCommand(['--help'])).output).toContain('user change-password --login L');
  expect((await runCommand(['user', '--help'])).output).toContain('user add --login L');
  expect((await runCommand(['user'])).output).not.toContain('rekey');
  expect((await runCommand(['version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

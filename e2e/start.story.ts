import { chown, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { describeDirectory } from './fixtures/directory-hash.ts';
import { because, missingFor, requireProgramPath } from './fixtures/needs.ts';
import { adminPassword, makeServer, type ServerOptions, startServer } from './fixtures/server.ts';
import { makeTempDir } from './fixtures/temp-dir.ts';

/** Starts a server that must refuse, and returns what it printed. @param port where it shall listen */
async function refuseStart(options: ServerOptions & { dataDir: string }, port?: number): Promise<string> {
  const server = await makeServer(options);
  await expect(server.start(port ?? server.port)).rejects.toThrow();
  expect((await server.waitForExit()).code).toBe(1);
  expect(server.output.trim()).toMatch(/^[^\n]+[.]$/);
  return server.output.trim();
}

describe('a start is refused in one sentence, with exit code 1, and nothing is written', () => {
  test('where the port is taken', async () => {
    await using home = await makeTempDir('start');
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const port = address !== null && typeof address !== 'string' ? address.port : 0;
    const dataDir = join(home.path, 'data');
    await mkdir(dataDir);
    expect(await refuseStart({ dataDir }, port)).toContain(String(port));
    expect(await describeDirectory(home.path)).toBe('data 40755 no file');
    listener.close();
  });

  test('where the data directory cannot be made', async () => {
    await using home = await makeTempDir('start');
    const file = join(home.path, 'file');
    await writeFile(file, 'not a directory');
    const before = await describeDirectory(home.path);
    expect(await refuseStart({ dataDir: join(file, 'data') })).toContain(join(file, 'data'));
    expect(await describeDirectory(home.path)).toBe(before);
  });

  const noOtherUser = missingFor('root', 'setpriv');
  test.skipIf(noOtherUser)(`where the data directory is another user's${because(noOtherUser)}`, async () => {
    await using home = await makeTempDir('start');
    const dataDir = join(home.path, 'data');
    await mkdir(dataDir, { mode: 0o755 });
    await chown(dataDir, 0, 0);
    const wrap = [requireProgramPath('setpriv'), '--reuid', '65534', '--regid', '65534', '--clear-groups'];
    expect(await refuseStart({ dataDir, wrap })).toContain(dataDir);
    expect(await describeDirectory(home.path)).toBe('data 40755 no file');
  });

  test.each([
    ['SIGNALBOX_LISTEN', 'nowhere'],
    ['SIGNALBOX_LISTEN', '127.0.0.1:99999'],
    ['SIGNALBOX_WEB_HOST', 'ftp://example.com'],
    ['SIGNALBOX_MAX_PARALLEL_TASKS', 'many'],
    ['SIGNALBOX_ENCRYPTION_KEY', 'short'],
    ['SIGNALBOX_CONFIG', '/nowhere/config.yaml'],
  ])('where %s is "%s", and names the variable', async (name, value) => {
    await using home = await makeTempDir('start');
    const dataDir = join(home.path, 'data');
    expect(await refuseStart({ dataDir, env: { [name]: value } })).toContain(name);
    expect((await describeDirectory(home.path)).replace('data 40700 no file', '')).toBe('');
  });

  test('where the schema is newer than the program knows', async () => {
    await using home = await makeTempDir('start');
    const dataDir = join(home.path, 'data');
    await using server = await startServer({ dataDir });
    await server.stop();
    const database = new DatabaseSync(join(dataDir, 'state.db'));
    database.exec('pragma user_version = 4711');
    database.close();
    const before = await describeDirectory(dataDir);
    expect(await refuseStart({ dataDir })).toContain('4711');
    expect(await describeDirectory(dataDir)).toBe(before);
  });

  test('where the encryption key is another one', async () => {
    await using home = await makeTempDir('start');
    const dataDir = join(home.path, 'data');
    await using server = await startServer({ dataDir });
    await server.stop();
    const before = await describeDirectory(dataDir);
    const key = Buffer.alloc(32, 7).toString('base64');
    const sentence = await refuseStart({ dataDir, env: { SIGNALBOX_ENCRYPTION_KEY: key } });
    expect(sentence).toMatch(/encryption key/i);
    expect(sentence).not.toContain(key);
    expect(await describeDirectory(dataDir)).toBe(before);
  });
});

test('a start prints one block with address, login and data directory, and never the password that was given', async () => {
  await using server = await startServer();
  expect(server.output).toContain(server.url);
  expect(server.output).toContain('admin');
  expect(server.output).toContain(server.dataDir);
  expect(server.output).not.toContain(adminPassword);
  expect(server.output.trim().split('\n').length).toBeLessThanOrEqual(8);
});

test('a generated password is printed once and works', async () => {
  await using server = await makeServer({ env: { SIGNALBOX_ADMIN_PASSWORD: '' } });
  await server.start();
  const password = /password\W+(\S+)/i.exec(server.output)?.[1] ?? '';
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: 'admin', password }),
  });
  expect(answer.status).toBe(204);
  await server.stop();
  const before = server.output.length;
  await server.start();
  expect(server.output.slice(before)).not.toContain(password);
});

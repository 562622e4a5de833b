import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../test/databases.ts';
import { insertUser } from '../test/rows.ts';
import type { Migration } from './migrations.ts';
import { type DatabaseSettings, openDatabase } from './open-database.ts';
import { stateFile } from './sqlite.ts';
import { SqliteFile } from './sqlite-file.ts';
import { StartRefusal } from './start-refusal.ts';

const keyA = Buffer.alloc(32, 'a').toString('base64');
const keyB = Buffer.alloc(32, 'b').toString('base64');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'signalbox-test-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Opens and closes, as a start that is followed by a stop. */
async function start(settings: Partial<DatabaseSettings> = {}): Promise<void> {
  const database = await openDatabase({ dataDir, url: undefined, exclusive: true, ...settings });
  await database.close();
}

/** The one sentence of a start that is refused. */
async function refuse(settings: Partial<DatabaseSettings> = {}): Promise<string> {
  try {
    await start(settings);
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  }
  throw new Error('The start was not refused');
}

/** Names, contents and times of everything in the data directory. */
function fingerprintDirectory(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(dataDir, name);
    const { mtimeMs, mode } = statSync(file);
    hash.update(`${name} ${mode} ${mtimeMs}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

test('a new data directory and its files are for their user only', async () => {
  dataDir = path.join(dataDir, 'new');
  await start();
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  for (const name of ['state.db', 'logs.db', 'lock.db', 'encryption.key']) {
    expect(statSync(path.join(dataDir, name)).mode & 0o777, name).toBe(0o600);
  }
  dataDir = path.dirname(dataDir);
});

test('a second server on a data directory is refused, a command line is not', async () => {
  const server = await openDatabase({ dataDir, url: undefined, exclusive: true });
  expect(await refuse()).toBe(`The data directory ${dataDir} is in use by another Signalbox server.`);
  const commandLine = await openDatabase({ dataDir, url: undefined });
  await commandLine.transact((db) => insertUser(db));
  await commandLine.close();
  expect(await server.read.selectFrom('user').select('username').execute()).toHaveLength(1);
  expect(await refuse()).toContain('in use');
  await server.close();
  await start();
});

test('a command line leaves the schema alone while a server works with it', async () => {
  const server = await openDatabase({ dataDir, url: undefined, exclusive: true });
  const file = new DatabaseSync(stateFile(dataDir));
  file.exec('pragma user_version = 0');
  file.close();
  expect(await refuse({ exclusive: false })).toContain('in use by another Signalbox server');
  await server.close();
});

test('a schema from the future is refused, and nothing is written', async () => {
  await start();
  const file = new DatabaseSync(stateFile(dataDir));
  file.exec('pragma user_version = 999');
  file.close();
  const before = fingerprintDirectory();
  expect(await refuse()).toMatch(/state\.db has schema version 999, .* up to \d+: use the newer Signalbox\.$/);
  expect(fingerprintDirectory()).toBe(before);
});

test('a file that is no database is refused, and nothing is written', async () => {
  writeFileSync(stateFile(dataDir), 'a letter, and not a short one, that someone laid here by mistake\n'.repeat(9));
  const before = fingerprintDirectory();
  expect(await refuse()).toContain('is not a database of Signalbox');
  expect(fingerprintDirectory()).toBe(before);
});

test.each(['state.db', 'logs.db', 'lock.db', 'encryption.key'])(
  'a %s that cannot be opened is refused in one sentence',
  async (name) => {
    mkdirSync(path.join(dataDir, name));
    expect(await refuse()).toMatch(new RegExp(`/${name.replace('.', '\\.')} cannot be [^\\n]+\\.$`));
  },
);

test('a database that is damaged is refused in one sentence', async () => {
  await start();
  truncateSync(stateFile(dataDir), 8192);
  expect(await refuse()).toMatch(/state\.db is damaged: /);
});

test('another encryption key is refused, and nothing is written', async () => {
  await start({ encryptionKey: keyA });
  const before = fingerprintDirectory();
  expect(await refuse({ encryptionKey: keyB })).toMatch(/^Stored secrets are encrypted with the key \w{8}, and /);
  expect(await refuse()).toMatch(/^The encryption key of this installation is missing: /);
  expect(fingerprintDirectory()).toBe(before);
  await start({ encryptionKey: keyA });
});

test('a lost key file is not replaced', async () => {
  await start();
  await rm(path.join(dataDir, 'encryption.key'));
  const before = fingerprintDirectory();
  expect(await refuse()).toContain(path.join(dataDir, 'encryption.key'));
  expect(fingerprintDirectory()).toBe(before);
});

test('a key may be put in front of the known one, and then belongs to it', async () => {
  await start({ encryptionKey: `old:${keyA}` });
  await start({ encryptionKey: `new:${keyB},old:${keyA}` });
  expect(await refuse({ encryptionKey: `old:${keyA}` })).toContain('the key new');
  expect(await refuse({ encryptionKey: `new:${keyB}` })).toContain('the key old');
  expect(await refuse({ encryptionKey: `old:${keyB},new:${keyA}` })).toContain('another one');
});

test('a key that is none is refused without being shown', async () => {
  for (const encryptionKey of [
    'short',
    `bad id:${keyA}`,
    `${keyA}x`,
    `a:${keyA},a:${keyB}`,
    Buffer.alloc(31, 'c').toString('base64'),
  ]) {
    const sentence = await refuse({ encryptionKey });
    expect(sentence).toMatch(/^SIGNALBOX_ENCRYPTION_KEY /);
    expect(sentence).not.toContain(encryptionKey);
  }
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a data directory that cannot be made is refused', async () => {
  writeFileSync(path.join(dataDir, 'file'), '');
  expect(await refuse({ dataDir: path.join(dataDir, 'file', 'data') })).toContain('cannot be made');
});

// The rights of files do not hold for root.
if (process.getuid?.() !== 0) {
  test('a data directory that cannot be written is refused', async () => {
    const closed = path.join(dataDir, 'closed');
    mkdirSync(closed, { mode: 0o500 });
    expect(await refuse({ dataDir: closed })).toContain('cannot be written');
  });
}

test('a PostgreSQL that does not answer is refused, without its password', async () => {
  const sentence = await refuse({ url: 'postgres://signalbox:geheim@127.0.0.1:1/signalbox' });
  expect(sentence).toMatch(/^The database 127\.0\.0\.1:1\/signalbox cannot be used: .*ECONNREFUSED/);
  expect(sentence).not.toContain('geheim');
  expect(readdirSync(dataDir)).toEqual([]);
});

test('two servers that start on an empty PostgreSQL at the same time share it', async () => {
  const { url, drop } = await createTestDatabase('empty');
  const settings = { url, encryptionKey: keyA };
  const servers = await Promise.all(
    [1, 2, 3].map((part) => openDatabase({ ...settings, dataDir: path.join(dataDir, `${part}`) })),
  );
  for (const server of servers) {
    expect(await server.read.selectFrom('installation').select('key').execute()).toHaveLength(3);
    await server.close();
  }
  await drop();
});

test('another schema or key is refused on PostgreSQL too', async () => {
  const { url, drop } = await createTestDatabase('empty');
  const database = await openDatabase({ dataDir, url, encryptionKey: keyA });
  expect(await refuse({ url, encryptionKey: keyB })).toMatch(/^Stored secrets are encrypted with the key /);
  await database.transact((db) =>
    db.updateTable('installation').set({ value: '999' }).where('key', '=', 'log_schema_version').execute(),
  );
  expect(await refuse({ url, encryptionKey: keyA })).toContain('schema version 999');
  await database.close();
  await drop();
});

test('a step of the schema that fails leaves nothing of itself behind', async () => {
  const file = path.join(dataDir, 'some.db');
  const settings = { synchronous: 'full', checkpointPages: 1000, onFailure: () => undefined } as const;
  const first: Migration = async (db) => {
    await db.schema.createTable('first').addColumn('id', 'integer').execute();
  };
  const failing: Migration = async (db) => {
    await db.schema.createTable('second').addColumn('id', 'integer').execute();
    throw new Error('no');
  };
  await (await SqliteFile.open(file, { ...settings, migrations: [first] })).close();
  await expect(SqliteFile.open(file, { ...settings, migrations: [first, failing] })).rejects.toThrow('no');
  const connection = new DatabaseSync(file);
  expect(
    connection
      .prepare('select name from sqlite_master')
      .all()
      .map((row) => row.name),
  ).toEqual(['first']);
  expect({ ...connection.prepare('pragma user_version').get() }).toEqual({ user_version: 1 });
  connection.close();
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { type DatabaseSettings, openDatabase } from '../db/open-database.ts';

/** The engine under test. */
const testEngine = process.env.SIGNALBOX_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite';
const encryptionKey = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const files = ['state.db', 'logs.db'];

export type TestDatabase = {
  database: Database;
  /** A directory of its own; removed by `remove`. */
  dataDir: string;
  /** Opens the same database once more, as another server or command line would. */
  settings: DatabaseSettings;
  /** Closes the database and leaves nothing behind. */
  remove(): Promise<void>;
};

let databases = 0;
let blankFiles: Promise<Map<string, Uint8Array>> | undefined;
let blankServer: Promise<string> | undefined;

const prefix = `signalbox-test-${process.pid}-`;
let swept = false;

async function createDirectory(): Promise<string> {
  if (!swept) await removeLeftovers();
  swept = true;
  return await mkdtemp(path.join(tmpdir(), prefix));
}

/** A test that fails in its middle removes nothing: the next process of tests does. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^signalbox-test-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(path.join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A migrated, empty database of the engine under test. */
export async function openTestDatabase(engine: Database['engine'] = testEngine): Promise<TestDatabase> {
  const dataDir = await createDirectory();
  return engine === 'sqlite' ? await openCopiedFiles(dataDir) : await openCopiedDatabase(dataDir);
}

async function openCopiedFiles(dataDir: string): Promise<TestDatabase> {
  blankFiles ??= migrateBlankFiles();
  for (const [name, content] of await blankFiles) await writeFile(path.join(dataDir, name), content, { mode: 0o600 });
  const settings = { dataDir, url: undefined, encryptionKey };
  const database = await openDatabase(settings);
  return {
    database,
    dataDir,
    settings,
    remove: async () => {
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function migrateBlankFiles(): Promise<Map<string, Uint8Array>> {
  const dataDir = await createDirectory();
  const database = await openDatabase({ dataDir, url: undefined, encryptionKey });
  await database.close();
  const content = await Promise.all(files.map((name) => readFile(path.join(dataDir, name))));
  await rm(dataDir, { recursive: true });
  return new Map(files.map((name, index) => [name, content[index] ?? new Uint8Array()]));
}

async function openCopiedDatabase(dataDir: string): Promise<TestDatabase> {
  const { url, drop } = await createTestDatabase('blank');
  const settings = { dataDir, url, encryptionKey };
  const database = await openDatabase(settings);
  return {
    database,
    dataDir,
    settings,
    remove: async () => {
      await database.close();
      await drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** A database of its own on the PostgreSQL of this process: empty, or migrated already. */
export async function createTestDatabase(content: 'empty' | 'blank'): Promise<{ url: string; drop(): Promise<void> }> {
  blankServer ??= startBlankServer();
  const server = await blankServer;
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  await runOnServer(server, `create database ${name} template ${content === 'blank' ? 'blank' : 'template0'}`);
  return { url: `${server}/${name}`, drop: () => runOnServer(server, `drop database ${name} with (force)`) };
}

async function startBlankServer(): Promise<string> {
  const server = await startServer();
  await runOnServer(server, 'create database blank template template0');
  const dataDir = await createDirectory();
  const database = await openDatabase({ dataDir, url: `${server}/blank`, encryptionKey });
  await database.close();
  await rm(dataDir, { recursive: true });
  return server;
}

/** Started once for each process of tests, and ended by its guard when this process ends. */
async function startServer(): Promise<string> {
  const program = new URL('./postgres-server.ts', import.meta.url).pathname;
  // A group of its own: a Ctrl-C reaches the tests only, and the guard can clean up after them.
  const guard = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(guard.stdout);
  const ended = once(guard, 'exit').then(() => {
    throw new Error('PostgreSQL could not be started');
  });
  const [url] = await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => undefined); // it ends with this process
  lines.close();
  guard.unref();
  for (const stream of [guard.stdin, guard.stdout]) if ('unref' in stream) (stream as { unref(): void }).unref();
  return String(url);
}

async function runOnServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { type HttpReceiver, startHttpReceiver } from '../test/http-receiver.ts';
import { insertProject } from '../test/rows.ts';
import { startEngineServer, TestClock } from '../test/start-engine-server.ts';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';
import { aRunningTask, aToldProject, listOutbox, step, waitForOutbox } from '../test/told-tasks.ts';
import { NotificationSender } from './sender.ts';

let database: TestDatabase;
let receiver: HttpReceiver;
const cleanups: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  database = await openTestDatabase();
  receiver = await startHttpReceiver();
}, 60_000);
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
  await receiver.stop();
  await database.remove();
});

const env = (url = receiver.url) => ({ SIGNALBOX_SLACK_ALERT: '1', SIGNALBOX_SLACK_URL: url });

/** A server that is stopped before its database is removed. */
async function startServer(change: Record<string, string> = {}): Promise<TestServer> {
  const shared = { ...database, remove: async () => undefined };
  const server = await startTestServer({ database: shared, env: { ...env(), ...change } });
  cleanups.push(() => server.stop());
  return server;
}

async function aTask(): Promise<number> {
  return await database.database
    .transact(async (db) => {
      const project = { id: await insertProject(db, { alert: true }) };
      return project.id;
    })
    .then((id) => aRunningTask({ database: database.database } as TestServer, { id }));
}

/** Another process, which ends the task and is then killed. */
async function tellElsewhere(taskId: number, url = ''): Promise<ChildProcess> {
  const program = new URL('../test/telling-server.ts', import.meta.url).pathname;
  const { dataDir, url: databaseUrl = '', encryptionKey = '' } = database.settings;
  const child = spawn(process.execPath, [program, dataDir, databaseUrl, encryptionKey, String(taskId), url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  await once(child.stdout as Readable, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

test('what a server had committed and not sent when it was killed is sent after its restart', async () => {
  await kill(await tellElsewhere(await aTask()));
  expect(receiver.received).toEqual([]);
  const server = await startServer();
  server.sender.start();
  await receiver.waitFor(1);
  await waitForOutbox(server, ([row]) => row?.sent != null);
  expect(receiver.received).toHaveLength(1);
});

test('what a server was sending when it was killed is sent again by the next one', async () => {
  const taskId = await aTask();
  receiver.answer = () => undefined;
  const child = await tellElsewhere(taskId, receiver.url);
  await receiver.waitFor(1);
  await kill(child);
  receiver.answer = (_received, response) => response.end('ok');
  const clock = new TestClock();
  const shared = { ...database, remove: async () => undefined };
  const server = await startEngineServer({ clock, database: shared, env: env() });
  cleanups.push(() => server.stop());
  // On PostgreSQL another server may still be at it: so long it is left alone.
  clock.advance(60_000);
  server.sender.start();
  const [row] = await waitForOutbox(server, ([first]) => first?.sent != null);
  expect(row?.attempts).toBe(2);
  expect(receiver.received).toHaveLength(2);
});

test('two servers on one database send each message once', async () => {
  const first = await startServer();
  const other = await openDatabase(database.settings);
  cleanups.push(() => other.close());
  const { log, settings } = {
    log: { info: () => undefined, warn: expect.fail, error: expect.fail },
    settings: first.config.notifications,
  };
  const second = new NotificationSender({
    database: other,
    log,
    settings,
    webUrl: 'http://localhost',
    now: () => Date.now(),
  });
  cleanups.push(() => second.stop());
  const project = await aToldProject(first);
  const ids = await Promise.all(Array.from({ length: 60 }, () => aRunningTask(first, project)));
  first.sender.start();
  second.start();
  for (const id of ids) {
    await step(first, [id], 'finish_success');
    second.wake();
  }
  const rows = await waitForOutbox(first, (all) => all.filter(({ sent }) => sent !== null).length === ids.length);
  expect(receiver.received).toHaveLength(ids.length);
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
  expect(rows.map(({ task_id }) => task_id).toSorted()).toEqual(ids.toSorted());
});

test('a channel that hangs holds up neither tasks nor other channels, and is given up in time', async () => {
  const hanging = await startHttpReceiver();
  hanging.answer = () => undefined;
  cleanups.push(() => hanging.stop());
  const server = await startServer({
    SIGNALBOX_ROCKETCHAT_ALERT: '1',
    SIGNALBOX_ROCKETCHAT_URL: hanging.url,
  });
  const project = await aToldProject(server);
  const ids = await Promise.all(Array.from({ length: 20 }, () => aRunningTask(server, project)));
  for (const id of ids) await step(server, [id], 'finish_success');
  const done = await database.database.read.selectFrom('task').select('id').where('status', '=', 'success').execute();
  expect(done).toHaveLength(20);
  await receiver.waitFor(20);
  const rows = await waitForOutbox(server, (all) => all.some(({ error }) => error !== ''));
  expect(rows.find(({ error }) => error !== '')).toMatchObject({
    channel: 'rocketchat',
    sent: null,
    error: 'The receiver did not answer in time',
  });
  expect(rows.filter(({ channel, sent }) => channel === 'slack' && sent !== null)).toHaveLength(20);
});

test('a server that ends does not wait for a receiver that hangs, and leaves the message to the next one', async () => {
  receiver.answer = () => undefined;
  const server = await startServer();
  const project = await aToldProject(server);
  await step(server, [await aRunningTask(server, project)], 'finish_error');
  await receiver.waitFor(1);
  await server.sender.stop();
  const [row] = await listOutbox(server);
  expect(row).toMatchObject({ sent: null, attempts: 1, error: 'The server ended during the attempt' });
  expect(row?.next_attempt).toBeLessThanOrEqual(server.engine.now());
});

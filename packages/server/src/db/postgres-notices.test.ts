import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';

let opened: TestDatabase;
let other: Database;
let otherDir: string;
beforeEach(async () => {
  opened = await openTestDatabase('postgres');
  otherDir = await mkdtemp(path.join(tmpdir(), 'signalbox-test-'));
  other = await openDatabase({ ...opened.settings, dataDir: otherDir });
});
afterEach(async () => {
  await other.close();
  await opened.remove();
  await rm(otherDir, { recursive: true });
});

/** Listening begins a moment after it was asked for: sends until it is heard. What was missed is found by sweeps. */
async function sendUntil(hasArrived: () => boolean, channel: string, text: string): Promise<void> {
  while (!hasArrived()) await opened.database.notices.send(channel, text);
}

test('a notice reaches the other servers, and not the one that sends it', async () => {
  const heard: string[] = [];
  opened.database.notices.listen('task', (text) => heard.push(`own ${text}`));
  other.notices.listen('task', (text) => heard.push(text));
  await sendUntil(() => heard.length > 0, 'task', 'begin');
  await opened.database.notices.send('task', '1');
  await opened.database.notices.send('another', '2');
  await sendUntil(() => heard.includes('3 with words'), 'task', '3 with words');
  expect(new Set(heard)).toEqual(new Set(['begin', '1', '3 with words']));
});

test('who does not listen any more hears nothing, the others do', async () => {
  const heard: string[] = [];
  const stopped: string[] = [];
  const stop = other.notices.listen('task', (text) => stopped.push(text));
  other.notices.listen('task', (text) => heard.push(text));
  await sendUntil(() => heard.length > 0, 'task', 'first');
  stop();
  await sendUntil(() => heard.includes('last'), 'task', 'last');
  expect(stopped).not.toContain('last');
});

test('a notice too long for PostgreSQL is refused by us', async () => {
  await expect(other.notices.send('task', 'x'.repeat(8000))).rejects.toThrow(RangeError);
});

test('after a cut the server listens again, sweeps, and no lease ran out before', async () => {
  const before = Date.now();
  const swept = new Promise<void>((resolve) => other.notices.onReconnect(resolve));
  const heard: string[] = [];
  other.notices.listen('task', (text) => heard.push(text));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'signalbox' and pid <> pg_backend_pid()`.execute(
    opened.database.read,
  );
  await swept;
  expect(other.healthySince()).toBeGreaterThanOrEqual(before);
  await sendUntil(() => heard.includes('again'), 'task', 'again');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';

const program = new URL('../test/writing-server.ts', import.meta.url).pathname;

/** Ids that a server acknowledged before it was killed in the middle of its work. */
async function writeAndKill(dataDir: string, table: 'state' | 'log', enough: number): Promise<number[]> {
  const server = spawn(process.execPath, [program, dataDir, table], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const acknowledged: number[] = [];
  for await (const line of createInterface(server.stdout)) {
    acknowledged.push(Number(line));
    if (acknowledged.length === enough) server.kill('SIGKILL');
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

test('what a killed server acknowledged is there, and the next server starts at once', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'signalbox-test-'));
  const options = await writeAndKill(dataDir, 'state', 300);
  const chunks = await writeAndKill(dataDir, 'log', 300);
  const database = await openDatabase({ dataDir, url: undefined, exclusive: true });
  const rows = await database.read.selectFrom('option').select('key').execute();
  const stored = new Set(rows.map(({ key }) => Number(key)));
  expect(options.length).toBeGreaterThanOrEqual(300);
  expect(options.filter((id) => !stored.has(id))).toEqual([]);
  const lines = await database.logs.read.selectFrom('log_chunk').select('first_line').execute();
  const storedLines = new Set(lines.map((line) => line.first_line));
  expect(chunks.filter((id) => !storedLines.has(id))).toEqual([]);
  await database.close();
  await rm(dataDir, { recursive: true });
});

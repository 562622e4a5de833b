import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

/** The program as it is started: as a process of its own. */

let home: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'signalbox-main-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
});
afterAll(() => rm(home, { recursive: true, force: true }));

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env.PATH ?? '', SIGNALBOX_RUNNER: 'external', SIGNALBOX_LISTEN: '127.0.0.1:0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const run = { child, stdout: '', stderr: '', end: once(child, 'close').then(([code]) => Number(code)) };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    run.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    run.stderr += text;
  });
  return run;
}

async function waitForBlock(run: ReturnType<typeof start>): Promise<string> {
  while (!run.stdout.includes('Data ')) {
    if (run.child.exitCode !== null) throw new Error(`It ended: ${run.stderr}`);
    await Promise.race([once(run.child.stdout ?? run.child, 'data'), once(run.child, 'exit')]);
  }
  return run.stdout;
}

test('the first start prints where it is, the login and a password that works; the second one has no password', async () => {
  const data = path.join(home, 'first');
  const first = start({ SIGNALBOX_DATA: data, SIGNALBOX_DEMO: '1' });
  const block = await waitForBlock(first);
  const url = /URL\s+(http:\S+)/.exec(block)?.[1] ?? '';
  const password = /Password\s+(\S+)/.exec(block)?.[1] ?? '';
  expect(block).toMatch(/Login\s+admin\n/);
  expect(block).toContain(data);
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: 'admin', password }),
  });
  expect(login.status).toBe(204);
  const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const projects = await fetch(`${url}/api/projects`, { headers: { cookie } });
  expect(await projects.json()).toMatchObject([{ name: 'Demo project' }]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  first.child.kill('SIGTERM');
  expect(await first.end).toBe(0);
  expect(first.stderr).toBe('');

  const second = start({ SIGNALBOX_DATA: data, SIGNALBOX_DEMO: '1' });
  const again = await waitForBlock(second);
  expect(again).not.toMatch(/Password|Login/);
  const urlAgain = /URL\s+(http:\S+)/.exec(again)?.[1] ?? '';
  const still = await fetch(`${urlAgain}/api/projects`, { headers: { cookie } });
  expect(await still.json()).toHaveLength(1);
  second.child.kill('SIGINT');
  expect(await second.end).toBe(0);
});

test('a start that fails makes no administrator: the next one shows the password', async () => {
  const data = path.join(home, 'half');
  const obstacle = path.join(data, 'run', 'server.json', 'file');
  await mkdir(path.dirname(obstacle), { recursive: true });
  await writeFile(obstacle, '');
  const failed = start({ SIGNALBOX_DATA: data });
  expect(await failed.end).toBe(1);
  expect(failed.stdout).toBe('');
  await rm(path.dirname(obstacle), { recursive: true });
  expect(await waitForBlock(start({ SIGNALBOX_DATA: data }))).toMatch(/Password\s+\S+/);
});

test('a demo project that cannot be made costs nobody the password', async () => {
  const data = path.join(home, 'no-demo');
  await mkdir(data);
  await writeFile(path.join(data, 'demo'), 'not a directory');
  const run = start({ SIGNALBOX_DATA: data, SIGNALBOX_DEMO: '1' });
  expect(await waitForBlock(run)).toMatch(/Password\s+\S+/);
  expect(run.stderr).toContain('The demo project could not be made');
});

test('a server whose output nobody reads goes on', async () => {
  const data = path.join(home, 'unread');
  // A demo that cannot be made is something to tell.
  await mkdir(data);
  await writeFile(path.join(data, 'demo'), 'not a directory');
  const run = start({ SIGNALBOX_DATA: data, SIGNALBOX_DEMO: '1' });
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  const file = path.join(data, 'run', 'server.json');
  await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
  const { url } = JSON.parse(await readFile(file, 'utf8')) as { url: string };
  await expect.poll(async () => (await fetch(`${url}/healthz`)).status, { timeout: 20_000 }).toBe(200);
  run.child.kill('SIGTERM');
  expect(await run.end).toBe(0);
});

test('a second server on the same data directory is refused in one sentence', async () => {
  const data = path.join(home, 'shared');
  const first = start({ SIGNALBOX_DATA: data });
  await waitForBlock(first);
  const second = start({ SIGNALBOX_DATA: data });
  expect(await second.end).toBe(1);
  expect(second.stderr).toMatch(/^[^\n]*in use[^\n]*\.\n$/);
  expect(second.stdout).toBe('');
});

test('a port that is taken is refused in one sentence, and nothing is written', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const data = path.join(home, 'taken');
  const run = start({ SIGNALBOX_DATA: data, SIGNALBOX_LISTEN: `127.0.0.1:${port}` });
  expect(await run.end).toBe(1);
  expect(run.stderr).toBe(`SIGNALBOX_LISTEN: 127.0.0.1:${port} is in use by another program.\n`);
  expect(existsSync(data)).toBe(false);
  blocker.close();
});

test.each([
  [{ SIGNALBOX_DEMO: 'maybe' }, /^SIGNALBOX_DEMO must be 1 or 0\.\n$/],
  [{ SIGNALBOX_ENCRYPTION_KEY: 'short' }, /^SIGNALBOX_ENCRYPTION_KEY [^\n]*\.\n$/],
  [{ SIGNALBOX_CONFIG: '/nowhere.yaml' }, /^SIGNALBOX_CONFIG [^\n]*\.\n$/],
])('a bad setting is refused in one sentence with its name, and nothing is written: %j', async (env, sentence) => {
  const data = path.join(home, 'bad');
  const run = start({ SIGNALBOX_DATA: data, ...env });
  expect(await run.end).toBe(1);
  expect(run.stderr).toMatch(sentence);
  expect(existsSync(data)).toBe(false);
});

test('a data directory that cannot be made is refused in one sentence', async () => {
  const file = path.join(home, 'file');
  await writeFile(file, 'not a directory');
  const run = start({ SIGNALBOX_DATA: path.join(file, 'data') });
  expect(await run.end).toBe(1);
  expect(run.stderr).toMatch(/^The data directory [^\n]* cannot be made\.\n$/);
});

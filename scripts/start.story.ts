import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ROOT } from './node-26.mjs';

/** What a bare machine has: Node and npm as installed on it, git, two shells, and the small tools. */
const BARE_PROGRAMS = (
  'node npm git sh bash env basename cat chmod cp cut date dirname head id ln ls mkdir mktemp mv readlink realpath ' +
  'rm sleep sort tail test touch tr true uname uniq wc'
).split(' ');
/** How npm finds its registry here; nothing else of the caller's settings. */
const KEPT_SETTINGS = [
  'HOME',
  'npm_config_registry',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'http_proxy',
  'https_proxy',
  'NO_PROXY',
];

interface Start {
  child: ChildProcess;
  output: () => string;
  url: string;
}

let home = '';
let clone = '';
const started: ChildProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'signalbox-start-'));
  clone = path.join(home, 'clone');
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
  // A file that was deleted and not committed is still listed.
  const present = files.split('\n').filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
  for (const file of present) await cp(path.join(ROOT, file), path.join(clone, file));
  await mkdir(path.join(home, 'bin'));
  for (const name of BARE_PROGRAMS) await symlink(findBareProgram(name), path.join(home, 'bin', name));
});

afterEach(async () => {
  for (const child of started.splice(0)) await stop(child);
});

afterAll(() => rm(home, { recursive: true, force: true }), 120_000);

function findBareProgram(name: string): string {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => !folder.startsWith(`${ROOT}/node_modules`));
  return execFileSync('which', [name], { encoding: 'utf8', env: { PATH: folders.join(':') } }).trim();
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

async function start(): Promise<Start> {
  const url = `127.0.0.1:${await findFreePort()}`;
  const kept = Object.fromEntries(KEPT_SETTINGS.map((name) => [name, process.env[name]]));
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...kept, PATH: path.join(home, 'bin'), SIGNALBOX_LISTEN: url, SIGNALBOX_DATA: path.join(home, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return { child, output: () => output, url: `http://${url}` };
}

/** Waits until the console is answered, or throws what was printed by a start that failed. */
async function readConsole({ child, output, url }: Start): Promise<string> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined); // not listening yet
    if (answer?.ok) return answer.text();
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    await setTimeout(20);
  }
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return child.exitCode;
}

test('one command on a fresh clone installs, builds and serves the console', async () => {
  const first = await start();
  expect(await readConsole(first)).toContain('<base href="/" />');
  expect(first.output()).toContain('Installing the npm packages');
  expect(first.output()).toContain('Building');
  expect(await stop(first.child)).toBe(0);
  const { output } = first;
  expect(output()).toContain(first.url);
}, 600_000);

test('the second start installs and builds nothing and serves within three seconds', async () => {
  const begin = performance.now();
  const second = await start();
  await readConsole(second);
  expect(performance.now() - begin).toBeLessThan(3000);
  expect(second.output()).not.toMatch(/Installing|Building/);
}, 60_000);

test('a start after a change of the sources builds once', async () => {
  await appendFile(path.join(clone, 'packages/server/src/main.ts'), '// changed\n');
  const changed = await start();
  await readConsole(changed);
  expect(changed.output()).toContain('Building');
  expect(changed.output()).not.toContain('Installing');
  await stop(changed.child);
  const again = await start();
  await readConsole(again);
  expect(again.output()).not.toContain('Building');
}, 120_000);

test('a build that fails ends the start with its reason and keeps the last good build', async () => {
  await appendFile(path.join(clone, 'packages/server/src/main.ts'), "import './there-is-no-such-file.ts';\n");
  const broken = await start();
  const [code] = await once(broken.child, 'exit');
  expect(code).toBe(1);
  expect(broken.output()).toContain('there-is-no-such-file');
  expect(await readdir(path.join(clone, 'dist'))).toContain('server.js');
}, 120_000);

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FreshClone, findSystemProgram, linkPrograms, readBlock, readConsole, stop } from './fresh-clone.ts';
import { ROOT } from './node-26.mjs';

interface DemoRun {
  name: string;
  app: string;
  status: string;
  lines: number;
}

let clone: FreshClone;
let password = '';

beforeAll(async () => {
  clone = await FreshClone.make();
});
afterEach(() => clone.stopAll());
afterAll(() => clone.remove(), 120_000);

test('one command on a fresh clone installs, builds and serves the console', async () => {
  const first = await clone.start();
  expect(await readConsole(first)).toContain('<base href="/" />');
  password = /Password\s+(\S+)/.exec(await readBlock(first))?.[1] ?? '';
  expect(first.output()).toContain('Installing the npm packages');
  expect(first.output()).toContain('Building');
  expect(await stop(first.child)).toBe(0);
  expect(first.output()).toContain(first.url);
}, 600_000);

test('the second start installs and builds nothing and serves within three seconds', async () => {
  const begin = performance.now();
  const second = await clone.start();
  await readConsole(second);
  expect(performance.now() - begin).toBeLessThan(3000);
  expect(second.output()).not.toMatch(/Installing|Building/);
}, 60_000);

test('the command line of the clone tells its version and its commands', () => {
  const run = (word: string) =>
    execFileSync(path.join(clone.folder, 'signalbox'), [word], { env: { PATH: clone.bin }, encoding: 'utf8' });
  expect(run('version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(run('--help')).toContain('user add --login L');
}, 60_000);

test('another start on the same data directory is refused in one sentence', async () => {
  const first = await clone.start();
  await readConsole(first);
  const other = await clone.start();
  const [code] = await once(other.child, 'close');
  expect(code).toBe(1);
  // npm may have complaints of its own about the settings of this machine.
  const sentences = other.errors().replaceAll(/^npm warn .*\n/gm, '');
  expect(sentences).toMatch(/^[^\n]*in use[^\n]*\.\n$/);
  expect(other.output()).not.toContain('is running');
  await readConsole(first);
}, 60_000);

const noTerminal = findSystemProgram('script') === undefined ? ' (needs the program script)' : '';
test.skipIf(noTerminal)(
  `Ctrl-C in a terminal ends the server and its runner${noTerminal}`,
  async () => {
    const words = [findSystemProgram('script') ?? '', '-qefc', 'npm start', '/dev/null'];
    const begun = await clone.start({ words });
    await readConsole(begun);
    await expect.poll(() => clone.listProcesses().length, { timeout: 20_000 }).toBe(2);
    begun.child.stdin?.write('\u0003');
    await once(begun.child, 'exit');
    await expect.poll(() => clone.listProcesses(), { timeout: 20_000 }).toEqual([]);
    expect(begun.output()).not.toMatch(/error/i);
  },
  60_000,
);

const canCut = process.getuid?.() === 0 && ['unshare', 'nsenter', 'ip'].every(findSystemProgram);
const noNetwork = canCut ? ', without any network but loopback' : '';

/** What each demo template did, by a program that stands in the network of the server. */
function runDemo(pid: number | undefined, url: string): DemoRun[] {
  const beside = canCut ? [findSystemProgram('nsenter') ?? '', '--net', '--target', String(pid)] : [];
  const program = path.join(ROOT, 'e2e/fixtures/run-demo.ts');
  const [command = '', ...args] = [...beside, process.execPath, program, url, password];
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8', timeout: 180_000 }));
}

test(`the demo project runs to success${noNetwork}`, async () => {
  const tools = ['ansible-playbook', 'ansible', 'ansible-galaxy'];
  const programs = [await linkPrograms(path.join(clone.home, 'tools'), tools)];
  const ip = findSystemProgram('ip') ?? '';
  const wrap = [findSystemProgram('unshare') ?? '', '--net', 'sh', '-c', `${ip} link set lo up && exec "$@"`, 'sh'];
  const server = await clone.start({ programs, wrap: canCut ? wrap : [] });
  await readBlock(server);
  const runs = runDemo(server.child.pid, server.url);
  const hasTool: Record<string, boolean> = {
    bash: true,
    ansible: findSystemProgram('ansible-playbook') !== undefined,
  };
  const due = runs.filter(({ app }) => hasTool[app]);
  expect(due.filter(({ app }) => app === 'bash').length).toBeGreaterThanOrEqual(5);
  // One is there to show what a failure looks like.
  expect(due.filter(({ name, status }) => status !== (/fail/i.test(name) ? 'error' : 'success'))).toEqual([]);
  expect(due.every(({ lines }) => lines > 0)).toBe(true);
}, 240_000);

test('a start after a change of the sources builds once', async () => {
  await appendFile(path.join(clone.folder, 'packages/server/src/main.ts'), '// changed\n');
  const changed = await clone.start();
  await readConsole(changed);
  expect(changed.output()).toContain('Building');
  expect(changed.output()).not.toContain('Installing');
  await stop(changed.child);
  const again = await clone.start();
  await readConsole(again);
  expect(again.output()).not.toContain('Building');
}, 120_000);

test('a build that fails ends the start with its reason and keeps the last good build', async () => {
  await appendFile(path.join(clone.folder, 'packages/server/src/main.ts'), "import './there-is-no-such-file.ts';\n");
  const broken = await clone.start();
  const [code] = await once(broken.child, 'exit');
  expect(code).toBe(1);
  expect(broken.output()).toContain('there-is-no-such-file');
  expect(await readdir(path.join(clone.folder, 'dist'))).toContain('server.js');
}, 120_000);

/** The program of an npm that this machine does not have; undefined where the registry cannot be reached. */
async function fetchNpm(major: number, folder: string): Promise<string | undefined> {
  const npm = findSystemProgram('npm') ?? 'npm';
  const env = { ...process.env, PATH: path.dirname(npm) + path.delimiter + process.env.PATH };
  try {
    const args = ['pack', `npm@${major}`, '--silent', '--pack-destination', folder];
    const archive = execFileSync(npm, args, { cwd: folder, env, encoding: 'utf8', timeout: 120_000 }).trim();
    execFileSync('tar', ['-xzf', archive], { cwd: folder });
  } catch {
    return undefined; // the title of the test says what it misses
  }
  return path.join(folder, 'package/bin/npm-cli.js');
}

const ownNpm = Number.parseInt(
  execFileSync(findSystemProgram('npm') ?? 'npm', ['--version'], { encoding: 'utf8' }),
  10,
);
const otherNpm = ownNpm === 10 ? 11 : 10;
const npmFolder = await mkdtemp(path.join(tmpdir(), 'signalbox-npm-'));
afterAll(() => rm(npmFolder, { recursive: true, force: true }));
const npmProgram = await fetchNpm(otherNpm, npmFolder);
const noNpm = npmProgram === undefined ? ' (needs the npm registry)' : '';

test.skipIf(noNpm)(
  `npm ${otherNpm} installs, builds and serves it too${noNpm}`,
  async () => {
    const other = await FreshClone.make(npmProgram);
    try {
      const version = execFileSync(path.join(other.bin, 'npm'), ['--version'], {
        encoding: 'utf8',
        env: { PATH: other.bin },
      });
      expect(Number.parseInt(version, 10)).toBe(otherNpm);
      const begun = await other.start();
      expect(await readConsole(begun)).toContain('<base href="/" />');
      expect(begun.output()).toContain('Installing the npm packages');
      expect(await stop(begun.child)).toBe(0);
    } finally {
      await other.remove();
    }
  },
  600_000,
);

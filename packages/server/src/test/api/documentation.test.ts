import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../databases.ts';

/** The commands of the document, run by a shell against the real server with its own runner. */

const root = path.join(import.meta.dirname, '../../../../..');
const password = 'a-password-of-the-test';
let database: TestDatabase;
let directory: string;
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  database = await openTestDatabase();
  directory = await mkdtemp(path.join(tmpdir(), 'signalbox-commands-'));
  const { settings, dataDir } = database;
  server = spawn(process.execPath, [path.join(root, 'packages/server/src/main.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      SIGNALBOX_LISTEN: '127.0.0.1:0',
      SIGNALBOX_DATA: dataDir,
      SIGNALBOX_ENCRYPTION_KEY: String(settings.encryptionKey),
      SIGNALBOX_ADMIN_PASSWORD: password,
      SIGNALBOX_DEMO: '1',
      ...(settings.url === undefined ? {} : { SIGNALBOX_DATABASE_URL: settings.url }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await readUrl(server);
});
afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  // An idle runner is told to end with its server, and clears up first.
  const patience = { timeout: 30_000, interval: 200 };
  await vi.waitFor(async () => expect(await listUsersOf(database.dataDir)).toEqual([]), patience);
  await database.remove();
  await rm(directory, { recursive: true });
});

async function readUrl({ stdout, ...child }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The server has no output');
  for await (const line of createInterface(stdout)) {
    const [, found] = /URL\s+(http:\S+)/.exec(line) ?? [];
    if (found === undefined) continue;
    stdout.resume();
    return found;
  }
  throw new Error(`The server ended with ${child.exitCode}`);
}

async function listUsersOf(folder: string): Promise<string[]> {
  const find = promisify(execFile)('sh', ['-c', 'ls -l /proc/[0-9]*/fd 2> /dev/null || true'], { maxBuffer: 2 ** 26 });
  const own = `/proc/${process.pid}/fd`;
  const parts = (await find).stdout.split(/\n(?=\/proc\/)/);
  return parts
    .filter((part) => part.includes(folder) && !part.startsWith(own))
    .map((part) => part.split(':', 1)[0] ?? '');
}

/** The indented lines of the story, without the two that name the server. */
async function readCommands(): Promise<string[]> {
  const document = await readFile(path.join(root, 'docs/api.md'), 'utf8');
  const [, story = ''] = document.split(/^## First steps with curl$/m);
  const lines = (story.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('    '));
  return lines.map((line) => line.trim()).filter((line) => !/^(url|password)=/.test(line));
}

type Step = { command: string; output: string };

/** One shell for all commands, as a reader has it; ends at the first that fails. */
async function runCommands(commands: string[]): Promise<Step[]> {
  const mark = '----- next command -----';
  const script = commands.map((command) => `${command}\necho; echo '${mark}'`).join('\n');
  const shell = spawn('sh', ['-eu', '-c', `url=${url}/api\npassword=${password}\n${script}`], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', HOME: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = await once(shell, 'close');
  const outputs = output.split(`${mark}\n`);
  if (code !== 0) throw new Error(`${commands[outputs.length - 1]} ended with ${code}: ${outputs.at(-1)}`);
  return commands.map((command, index) => ({ command, output: outputs[index]?.trim() ?? '' }));
}

/** A build server has it, and anybody else is told what was left out. */
const isLeftOut = process.env.CI !== 'true' && spawnSync('curl', ['--version']).error !== undefined;

test.skipIf(isLeftOut)(
  `the commands of the document sign in, take a token, launch a task, follow it and stop another${isLeftOut ? ' (needs curl)' : ''}`,
  async () => {
    const steps = await runCommands(await readCommands());
    const outputOf = (part: string): string =>
      steps.find(({ command }) => command.includes(part))?.output ?? `no ${part}`;
    expect(outputOf('/auth/login')).toBe('');
    expect(JSON.parse(outputOf('$url/user'))).toMatchObject({ username: 'admin' });
    expect(JSON.parse(outputOf('$url/projects'))).toMatchObject([{ id: 1, name: 'Demo project' }]);
    expect(JSON.parse(outputOf('/project/1/templates')).length).toBeGreaterThan(3);
    expect(JSON.parse(outputOf('"template_id": 1,'))).toMatchObject({ id: 1, status: 'waiting' });
    expect(JSON.parse(outputOf('/tasks/1/log'))).toMatchObject({ sealed: true });
    const state = steps.find(({ command }) => command.endsWith('/project/1/tasks/1'));
    expect(JSON.parse(state?.output ?? '')).toMatchObject({ status: 'success' });
    expect(outputOf('/raw_output')).toContain('Ada');
    expect(outputOf('/tasks/2/stop')).toBe('');
    const refusal = outputOf('"template_id": 999');
    expect(refusal).toMatch(/400$/);
    expect(JSON.parse(refusal.slice(0, -3))).toMatchObject({ code: expect.any(String), error: expect.any(String) });
  },
);

test('every command of the document stands in the story, so that it is run', async () => {
  const document = await readFile(path.join(root, 'docs/api.md'), 'utf8');
  const all = document.split('\n').filter((line) => /^\s*(until )?curl /.test(line) || /\$\(curl /.test(line));
  const run = await readCommands();
  expect(all.map((line) => line.trim())).toEqual(run);
});

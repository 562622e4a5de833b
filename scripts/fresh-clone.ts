// A copy of the sources as a stranger has them, on a machine with nothing but Node, npm, git, a shell and coreutils.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from './node-26.mjs';

/** What a bare machine has: Node and npm as installed on it, git, two shells, and the small tools. */
const BARE_PROGRAMS = (
  'node npm git sh bash env basename cat chmod cp cut date dirname head id ln ls mkdir mktemp mv readlink realpath ' +
  'rm seq sha256sum sleep sort tail tee test touch tr true uname uniq wc'
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

export interface Start {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  url: string;
}

export interface StartOptions {
  /** Words before `npm start`: what runs it. */
  wrap?: string[];
  /** Words instead of `npm start`. */
  words?: string[];
  /** More folders of programs. */
  programs?: string[];
  data?: string;
}

/** Where a program of this machine is, or undefined; never one of our own npm packages. */
export function findSystemProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => !folder.startsWith(`${ROOT}/node_modules`));
  return [...folders, '/usr/sbin', '/sbin'].map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** A folder with links to those of the programs that are installed. */
export async function linkPrograms(folder: string, names: readonly string[]): Promise<string> {
  await mkdir(folder);
  for (const name of names) {
    const file = findSystemProgram(name);
    if (file !== undefined) await symlink(file, path.join(folder, name));
  }
  return folder;
}

export class FreshClone {
  readonly home: string;
  readonly folder: string;
  readonly bin: string;
  readonly #started: ChildProcess[] = [];

  constructor(home: string) {
    this.home = home;
    this.folder = path.join(home, 'clone');
    this.bin = path.join(home, 'bin');
  }

  /** @param npm the program of another npm than the machine's */
  static async make(npm?: string): Promise<FreshClone> {
    const clone = new FreshClone(await mkdtemp(path.join(tmpdir(), 'signalbox-start-')));
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
    // A file that was deleted and not committed is still listed.
    const present = files.split('\n').filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
    for (const file of present) await cp(path.join(ROOT, file), path.join(clone.folder, file));
    const names = npm === undefined ? BARE_PROGRAMS : BARE_PROGRAMS.filter((name) => name !== 'npm');
    await linkPrograms(clone.bin, names);
    if (npm !== undefined) {
      await writeFile(path.join(clone.bin, 'npm'), `#!/bin/sh\nexec node '${npm}' "$@"\n`, { mode: 0o755 });
    }
    return clone;
  }

  async start(options: StartOptions = {}): Promise<Start> {
    const url = `127.0.0.1:${await findFreePort()}`;
    const kept = Object.fromEntries(KEPT_SETTINGS.map((name) => [name, process.env[name]]));
    const [command = 'npm', ...args] = [...(options.wrap ?? []), ...(options.words ?? ['npm', 'start'])];
    const child = spawn(command, args, {
      cwd: this.folder,
      env: {
        ...kept,
        npm_config_update_notifier: 'false',
        PATH: [this.bin, ...(options.programs ?? [])].join(':'),
        SIGNALBOX_LISTEN: url,
        SIGNALBOX_DATA: options.data ?? path.join(this.home, 'data'),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#started.push(child);
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
      errors += text;
    });
    return { child, output: () => output, errors: () => errors, url: `http://${url}` };
  }

  /** Ends what was started here and has not ended. */
  async stopAll(): Promise<void> {
    for (const child of this.#started.splice(0)) await stop(child);
  }

  /** Processes of the programs that were built here: servers and runners. */
  listProcesses(): string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readText(`/proc/${pid}/cmdline`))
      .filter((command) => command.includes(path.join(this.folder, 'dist/')));
  }

  async remove(): Promise<void> {
    await this.stopAll();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // it ended between the listing and the read
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** Waits until the console is answered, or throws what was printed by a start that failed. */
export async function readConsole({ child, output, url }: Start): Promise<string> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined); // not listening yet
    if (answer?.ok) return answer.text();
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    await setTimeout(20);
  }
}

/** Waits for the block that a server prints last, also where it cannot be reached from here. */
export async function readBlock({ child, output }: Start): Promise<string> {
  while (!/^ {2}Data /m.test(output())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    await setTimeout(20);
  }
  return output();
}

export async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return child.exitCode;
}

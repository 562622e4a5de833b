import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Job } from '@signalbox/contract/job';
import type { StartLine } from '../config.ts';
import { ProtocolServer } from './protocol-server.ts';

const main = join(import.meta.dirname, '..', 'main.ts');

function makeDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'sbr-'));
}

/** Runs git as a test needs it: with a name, and without anybody's settings. */
export function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.org',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.org',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

export function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
}

/** A repository with one commit on main. @returns the commit */
export function makeRepository(directory: string, files: Record<string, string>): string {
  mkdirSync(directory, { recursive: true });
  git(directory, 'init', '--quiet', '--initial-branch=main');
  return commit(directory, files, 'First');
}

export function commit(directory: string, files: Record<string, string>, message: string): string {
  writeFiles(directory, files);
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
  return git(directory, 'rev-parse', 'HEAD');
}

let lastTask = 0;

export function makeJob(url: string, change: Partial<Job> = {}): Job {
  lastTask += 1;
  return {
    task_id: lastTask,
    project_id: 1,
    template_id: 1,
    template_name: 'Test',
    task_type: '',
    app: { id: 'bash', path: '', args: null },
    playbook: 'run.sh',
    arguments: [],
    params: {
      debug: false,
      dry_run: false,
      diff: false,
      plan: false,
      destroy: false,
      auto_approve: false,
      upgrade: false,
      reconfigure: false,
      limit: [],
      tags: [],
      skip_tags: [],
    },
    repository: { id: 1, url, branch: 'main', key: { type: 'none' }, host_key_policy: 'accept-new', trusted: false },
    commit_hash: null,
    created: Date.now(),
    inventory: null,
    vaults: [],
    variables: {},
    secret_variables: {},
    given_variables: [],
    env: {},
    secret_env: {},
    state: null,
    details: { username: 'ann', url: null, message: '', incoming_version: null, target_version: null },
    timeout_seconds: 0,
    stop_grace_seconds: null,
    ...change,
  };
}

const startLine = /^\S+ The runner works in \S+\. Processes that tasks leave behind are found by .*\n/gm;

/** A server, a real runner process beside it, and a directory for both. Everything ends with `close`. */
export class Yard {
  readonly directory = makeDirectory();
  readonly server = new ProtocolServer();
  readonly runners: ChildProcess[] = [];
  /** What runners complained of: their first line is none of it. */
  output = '';
  /** First lines of runners so far. */
  started = 0;

  get dataDir(): string {
    return join(this.directory, 'data');
  }

  get repositories(): string {
    return join(this.directory, 'repositories');
  }

  static async open(
    change: Partial<StartLine> = {},
    prepare: (directory: string) => void = () => undefined,
  ): Promise<Yard> {
    const yard = new Yard();
    prepare(yard.directory);
    mkdirSync(yard.repositories);
    await yard.server.listen();
    yard.announce();
    yard.startRunner(change);
    return yard;
  }

  /** Writes the address file, as a server does at its start. */
  announce(): void {
    writeFileSync(join(this.directory, 'server.json'), JSON.stringify({ url: this.server.url }));
  }

  startRunner(change: Partial<StartLine> = {}): ChildProcess {
    const child = spawn(process.execPath, [main, '--built-in'], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '' },
    });
    const line: StartLine = {
      token: this.server.token,
      address_file: join(this.directory, 'server.json'),
      data_dir: this.dataDir,
      local_repositories: [this.repositories],
      ...change,
    };
    child.stdin.end(`${JSON.stringify(line)}\n`);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        this.started += text.toString().match(startLine)?.length ?? 0;
        this.output += text.toString().replaceAll(startLine, '');
      });
    }
    this.runners.push(child);
    return child;
  }

  repository(name: string, files: Record<string, string>): string {
    const path = join(this.repositories, name);
    makeRepository(path, files);
    return path;
  }

  /** A job that runs this text with bash. */
  script(text: string, change: Partial<Job> = {}): Job {
    const name = `r${readdirSync(this.repositories).length}`;
    return makeJob(this.repository(name, { 'run.sh': text }), change);
  }

  async close(): Promise<void> {
    for (const runner of this.runners) {
      if (runner.exitCode !== null || runner.signalCode !== null) continue;
      runner.kill('SIGTERM');
      runner.kill('SIGTERM');
      await once(runner, 'exit');
    }
    await this.server.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

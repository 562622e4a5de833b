import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { addressFile } from './address-file.ts';
import type { Clock } from './clock.ts';
import { deletePlaceholder, insertPlaceholder } from './runner-instances.ts';
import { openToSlotUsers } from './slot-access.ts';

export type BuiltinSettings = {
  readonly dataDir: string;
  /** What the runner gets of this process: where the tools are, and the locale. Never a secret. */
  readonly runnerEnv: Readonly<Record<string, string>>;
  /** What every tool gets. */
  readonly toolEnv: Readonly<Record<string, string>>;
  readonly localRepositories: readonly string[];
  readonly demoRepository: string | null;
  /** Seconds without a server after which an idle runner ends; its own default where it is missing. */
  readonly leaveAfterSeconds?: number;
};

export type BuiltinParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: BuiltinSettings;
  readonly server: string;
  /** A process of this runner that takes work is being heard of. */
  readonly isHeard: () => boolean;
};

const watchMs = 1000;
const firstPauseMs = 250;
const longestPauseMs = 5000;
/** How soon a runner that lives finds a server that has just come up. */
const otherPauseMs = 2000;
const maxLogBytes = 10 * 1024 * 1024;
/** A started process that says nothing for so long is not waited for any more. */
const patienceMs = 10_000;

/** A runner's objects live long or not at all: a small nursery saves about ten megabytes and costs no time. */
const thriftyHeap = ['--max-semi-space-size=4'];

/**
 * Keeps one runner alive beside the server. It is a process of its own that outlives the server: started detached, told
 * everything by one line on its standard input, writing to a file and never to a pipe of this process.
 *
 * Starting is always safe: a runner that finds the kernel lock held ends at once, and the one that holds it calls in.
 */
export class BuiltinRunner {
  readonly #parts: BuiltinParts;
  #child: { process: ChildProcess; since: number; wasHeard: boolean } | undefined;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  /** The process that was heard of has ended just now: it needs no more silence to prove that. */
  #hasDied = false;
  #isStarting = false;
  #isStopped = false;

  constructor(parts: BuiltinParts) {
    this.#parts = parts;
  }

  /** Starts a runner, whether or not an older one is there, and looks from then on that there is one. */
  start(): void {
    openToSlotUsers(this.#parts.settings.dataDir);
    this.#watch = setInterval(() => this.ensure(), watchMs);
    this.#watch.unref();
    this.ensure();
  }

  /** Starts a runner unless one is there. */
  ensure(): void {
    if (this.#isStopped || this.#isStarting || this.#timer !== undefined) return;
    if (this.#parts.isHeard() && !this.#hasDied) {
      if (this.#child !== undefined) this.#child.wasHeard = true;
      this.#pauseMs = firstPauseMs;
      return;
    }
    if (this.#child !== undefined && performance.now() - this.#child.since < patienceMs) return;
    this.#hasDied = false;
    this.#isStarting = true;
    void this.#start().finally(() => {
      this.#isStarting = false;
    });
  }

  /** Leaves a process that works alone: it goes on with its tasks, or was told to end. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    const child = this.#child;
    // One that has never called in has nothing in hand, and cannot be told to end by an answer.
    if (child !== undefined && !child.wasHeard && !this.#parts.isHeard()) child.process.kill('SIGTERM');
  }

  async #start(): Promise<void> {
    const { database, log, clock, server } = this.#parts;
    const token = randomBytes(32).toString('base64url');
    const tokenHash = createHash('sha256').update(token).digest('hex');
    try {
      const placeholder = await database.transact((db) =>
        insertPlaceholder(db, { server, tokenHash, now: clock.now() }),
      );
      if (this.#isStopped) return;
      this.#spawn(token, placeholder);
    } catch (error) {
      log.error('The built-in runner could not be started', { cause: error });
      this.#tryAgain();
    }
  }

  #spawn(token: string, placeholder: string): void {
    const { settings, log } = this.#parts;
    const output = openLog(settings.dataDir);
    const child = spawn(process.execPath, [...thriftyHeap, runnerProgram(), '--built-in'], {
      detached: true,
      stdio: ['pipe', output, output],
      env: { ...settings.runnerEnv },
      cwd: '/',
    });
    closeSync(output);
    const started = { process: child, since: performance.now(), wasHeard: false };
    this.#child = started;
    const onEnd = (code: number | null, signal: NodeJS.Signals | null) => {
      if (this.#child === started) this.#child = undefined;
      void this.#noteExit(placeholder, code, signal);
    };
    child.on('exit', onEnd);
    child.on('error', (error) => {
      log.error('The built-in runner could not be started', { cause: error });
      if (child.pid === undefined) onEnd(null, null);
    });
    // It may end before it has read: the exit tells why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(`${JSON.stringify(this.#startLine(token))}\n`);
    child.unref();
  }

  #startLine(token: string) {
    const { dataDir, localRepositories, demoRepository, toolEnv, leaveAfterSeconds } = this.#parts.settings;
    return {
      token,
      address_file: addressFile(dataDir),
      data_dir: runnerDirectory(dataDir),
      local_repositories: localRepositories,
      demo_repository: demoRepository,
      env: toolEnv,
      ...(leaveAfterSeconds === undefined ? {} : { leave_after_seconds: leaveAfterSeconds }),
    };
  }

  async #noteExit(placeholder: string, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { database, log } = this.#parts;
    if (this.#isStopped) return;
    try {
      const wasSilent = await database.transact((db) => deletePlaceholder(db, placeholder));
      // A silent end with 0: another runner holds the lock, and will call in.
      if (wasSilent && code === 0) this.#pauseMs = Math.max(this.#pauseMs, otherPauseMs);
      else log.warn('The built-in runner has ended', { code, signal });
      if (!wasSilent) this.#hasDied = true;
    } catch (error) {
      log.error('The end of the built-in runner could not be noted', { cause: error });
    }
    this.#tryAgain();
  }

  #tryAgain(): void {
    if (this.#isStopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.ensure();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
  }
}

export function runnerDirectory(dataDir: string): string {
  return path.join(dataDir, 'runner');
}

/** Beside this program when it is built, in its package when it runs from sources. */
function runnerProgram(): string {
  const here = fileURLToPath(import.meta.url);
  return here.endsWith('.ts')
    ? path.join(path.dirname(here), '../../../runner/src/main.ts')
    : path.join(path.dirname(here), 'runner.js');
}

/** What a runner says to the operator. One older file is kept. */
function openLog(dataDir: string): number {
  const file = path.join(dataDir, 'run', 'runner.log');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

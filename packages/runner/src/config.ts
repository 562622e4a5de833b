/**
 * How a runner is started, and what whoever starts it must know.
 *
 * BUILT-IN: `node --max-semi-space-size=4 packages/runner/src/main.ts --built-in` (or the bundled dist/runner.js; the flag is not
 * needed, but keeps an idle runner 10 MB smaller after a busy hour)
 *   stdin   one line of JSON (`StartLine`, below), then end of file. No other argument, and no secret in the environment.
 *   stdout, stderr
 *           a file or ignored; never a pipe of the server. What is written there is for the operator, and holds no secret.
 *   spawn   `detached: true`, then `unref()`. The working directory does not matter.
 *   environment
 *           PATH (where the tools are looked up), and LANG, LC_ALL, LC_CTYPE, TZ where they are set. These are also what
 *           tools get; everything else that a tool shall see goes into `env` of the start line. Nothing else is read.
 *
 * REMOTE: `signalbox-runner start`, with settings in a file and in the environment: see `remote-config.ts`.
 *
 * FILES, all under `data_dir` (the runner's own directory, made 0700 if it is missing; for the built-in one DATA/runner):
 *   lock.db           held by BEGIN EXCLUSIVE as long as this runner may take work; free the moment it is gone or drains.
 *                     Only SQLite may open it: another open and close in the holder's process would drop the lock.
 *   tasks/<task>-<claim>/
 *                     state.json (what a successor needs to end the task's processes; no secret), log-*.spool, home, tree
 *   repositories/     bare caches, one for each repository, URL and key; can be deleted while no runner runs. A start removes
 *                     those that no task has used for 30 days, here and in requirements/
 *   requirements/     Ansible Galaxy installs, one for each content of a requirements file
 *   known-hosts/      keys of hosts that are remembered, one file for each project and each repository
 *   gitconfig, ask    settings and the one script that git and ssh are given; written at each start
 * and /dev/shm/signalbox-<hash of data_dir>/ for secrets, sockets and FIFOs (data_dir/scratch where that cannot be written).
 * `address_file` (DATA/run/server.json) is read, never written: {"url": "http://127.0.0.1:3000/base"}. It is read again
 * after every failed request, so a server on a new port costs nothing. All calls go to <url>/api/internal/runners.
 *
 * EXIT CODES
 *   0  another runner holds the lock; or told to drain and everything is finished; or `leave_after_seconds` without
 *      a server, no task in hand and every log handed over; or a first SIGTERM or SIGINT after its tasks were stopped
 *   1  bad start line or setting, or a data directory that cannot be used: one sentence on stderr
 *   2  the server refuses it (401, or 426 `runner_outdated`) and it holds nothing
 * Any other end is a crash. Start it again in all cases but 0 by lock; the new one clears up what the old one left.
 *
 * SIGNALS. SIGTERM and SIGINT: no new work, running tasks are stopped by their own escalation and end as `error`, "the
 * runner was shut down"; then exit 0. The second signal kills at once. A server that wants the tasks to go on sends none:
 * it answers `drain` to a runner that shall end when it is done, and leaves it alone. SIGUSR2 is the same word from whoever upgrades
 * it: no new work, the lock is free for the next runner, running tasks go on to their end; then exit 0.
 */
import * as z from 'zod/mini';
import type { SealKeys } from './open-sealed.ts';

const Limits = {
  /** Tasks at a time; null = no limit of its own. */
  max_parallel_tasks: z.optional(z.nullable(z.int().check(z.positive()))),
  /** Bytes of log that one task may spool while no server takes it. Beyond that lines are counted and lost. */
  spool_limit: z.optional(z.int().check(z.positive())),
  leave_after_seconds: z.optional(z.number().check(z.positive())),
  /** Users that tasks may run as, one task each; only root can use them. By default the ones called signalbox-slot-0, -1, ... */
  slot_users: z.optional(z.nullable(z.array(z.string()))),
};

/** The one line on the stdin of the built-in runner. Unknown members are ignored. */
export const StartLine = z.object({
  token: z.string().check(z.minLength(1)),
  address_file: z.string().check(z.startsWith('/')),
  data_dir: z.string().check(z.startsWith('/')),
  /** Directories that hold repositories which may be used by path or file URL. */
  local_repositories: z.optional(z.array(z.string())),
  /** One more such directory: where the demo project's repository is. */
  demo_repository: z.optional(z.nullable(z.string())),
  /** What every tool gets in its environment: the fixed variables, and the forwarded ones. Values of 8 or more are masked in logs. */
  env: z.optional(z.record(z.string(), z.string())),
  ...Limits,
});
export type StartLine = z.infer<typeof StartLine>;

/** Where the servers are: the file that a server writes, or fixed addresses. */
export type ServerAddress = { file: string } | { urls: string[] };

/** How a runner reaches its servers. */
export type NetworkOptions = {
  /** Certificates that may vouch for a server, in PEM; null = those that Node brings. */
  authorities: string[] | null;
  /** The variables that name a proxy; null = none is asked. They are for this program, never for a task. */
  proxy: Record<string, string> | null;
};

export type RunnerOptions = {
  token: string;
  /** Those that it is registered with; null = it makes some at each start. */
  keys: SealKeys | null;
  network: NetworkOptions;
  /** It takes one task and ends. */
  oneOff: boolean;
  server: ServerAddress;
  dataDir: string;
  localRepositories: string[];
  /** PATH and locale of the runner, and what the start line adds for tools. */
  toolEnv: Record<string, string>;
  /** Values in it that the operator forwards: tokens may be among them, so no log shows them. */
  hiddenValues: string[];
  maxParallelTasks: number | null;
  spoolLimit: number;
  /** null = the users with the names that an installer gives them. */
  slotUsers: string[] | null;
  leaveAfterMs: number;
  /** A remote runner waits for its server for ever; the built-in one must not outlive a test run. */
  leaves: boolean;
  /** How long tasks go on while the server refuses the token. */
  giveUpAfterMs: number;
};

/** A setting that cannot be used; the message names it. */
export class BadSetting extends Error {}

const passedOn = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'];
const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
export const defaultSpoolLimit = 1024 ** 3;
export const defaultLeaveAfterMs = 30_000;

export type Environment = Record<string, string | undefined>;

export function readOwnEnvironment(): Environment {
  return process.env;
}

/** All that tools get of the environment of a runner: neither proxies nor tokens. */
export function pickToolEnv(environment: Environment, extra: Record<string, string>): Record<string, string> {
  const env: Record<string, string> = { PATH: defaultPath };
  for (const name of passedOn) {
    const value = environment[name];
    if (value) env[name] = value;
  }
  return { ...env, ...extra };
}

/** Shorter ones are words and numbers, and hiding them would hide half of a log. */
const shortestHidden = 8;

export function listHidden(env: Record<string, string>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    passedOn.includes(name) || value.length < shortestHidden ? [] : [value],
  );
}

/** @throws BadSetting */
export function readStartLine(line: string, environment: Environment = process.env): RunnerOptions {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new BadSetting('The start line on stdin is not JSON', { cause: error });
  }
  const parsed = z.safeParse(StartLine, value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BadSetting(`The start line on stdin is wrong at "${issue?.path.join('.')}": ${issue?.message}`);
  }
  const start = parsed.data;
  const demo = start.demo_repository ? [start.demo_repository] : [];
  return {
    token: start.token,
    keys: null,
    network: { authorities: null, proxy: null },
    oneOff: false,
    server: { file: start.address_file },
    dataDir: start.data_dir,
    localRepositories: [...(start.local_repositories ?? []), ...demo],
    toolEnv: pickToolEnv(environment, start.env ?? {}),
    hiddenValues: listHidden(start.env ?? {}),
    maxParallelTasks: start.max_parallel_tasks ?? null,
    spoolLimit: start.spool_limit ?? defaultSpoolLimit,
    leaveAfterMs: start.leave_after_seconds === undefined ? defaultLeaveAfterMs : start.leave_after_seconds * 1000,
    slotUsers: start.slot_users ?? null,
    leaves: true,
    giveUpAfterMs: Number.POSITIVE_INFINITY,
  };
}

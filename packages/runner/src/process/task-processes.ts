import { type ChildProcess, spawn } from 'node:child_process';
import type { StrayMode } from '@signalbox/contract/runner-protocol';
import { pause } from '../pause.ts';
import { type CgroupTree, killMembers, listMembers, removeCgroup } from './cgroup.ts';
import { findMarked, listDescendants, readCommandLine, type Traits } from './marked-processes.ts';
import { listProcesses, type ProcessId, readProcess, signalProcess } from './process-table.ts';
import { isOwnedBy, killAllOf, type SlotUser } from './slot-users.ts';

/** What identifies the processes of a task, also for a successor of this runner: it stands in the journal. */
export type TreeIdentity = {
  cgroup: string | null;
  user: { uid: number; gid: number } | null;
  leaders: ProcessId[];
  mark: string;
  directory: string;
};

/** What only the runner knows that started them. `spared`: its ssh agent, which has the same user but is no part of them. */
type Extra = Pick<Traits, 'remembered' | 'fifo'> & { spared: number | null };

export const nothingExtra: Extra = { remembered: [], fifo: null, spared: null };

export type SpawnRequest = {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** File descriptors; null: none. */
  stdio: [input: number | null, output: number, errors: number];
};

/** How long after a tool's end its last children may still write, before they are ended. */
const quietMs = 500;

export function strayModeOf(identity: TreeIdentity): StrayMode {
  if (identity.cgroup !== null) return 'cgroup';
  return identity.user !== null ? 'uid' : 'scan';
}

/** Numbers of the living processes of a task, by the best means there is. */
function listTree(identity: TreeIdentity, extra: Extra): number[] {
  if (identity.cgroup !== null) return listMembers(identity.cgroup);
  const user = identity.user;
  if (user !== null) {
    return listProcesses().flatMap(({ pid }) => (pid !== extra.spared && isOwnedBy(pid, user.uid) ? [pid] : []));
  }
  const { mark, directory } = identity;
  const leaders = identity.leaders.map((leader) => leader.pid);
  const since = identity.leaders[0] ?? null;
  return findMarked({ leaders, mark, directory, since, ...extra }).map((entry) => entry.pid);
}

async function killTree(identity: TreeIdentity, extra: Extra): Promise<void> {
  if (identity.cgroup !== null) return killMembers(identity.cgroup);
  if (identity.user !== null && extra.spared === null) return killAllOf(identity.user);
  // Stopped first, and looked for again: a process that forks while we look would always be one ahead.
  let stopped = new Set<number>();
  for (;;) {
    const found = listTree(identity, extra);
    const fresh = found.filter((pid) => !stopped.has(pid));
    for (const pid of fresh) signalProcess(pid, 'SIGSTOP');
    if (fresh.length === 0) break;
    stopped = new Set([...stopped, ...found]);
  }
  for (const pid of stopped) signalProcess(pid, 'SIGKILL');
}

/**
 * Ends everything that is left, and answers how many processes that were. Returns only when nothing was found: at once with a
 * cgroup, where an empty one cannot fill itself; twice in a row with the weaker means.
 * @param emptyBefore how often nothing was found just now
 */
export async function endTree(identity: TreeIdentity, extra: Extra, emptyBefore = 0): Promise<number> {
  const ended = new Set<number>();
  let delay = 2;
  for (let timesEmpty = emptyBefore; timesEmpty < (identity.cgroup === null ? 2 : 1); ) {
    const left = listTree(identity, extra);
    if (left.length === 0) {
      timesEmpty += 1;
      continue;
    }
    timesEmpty = 0;
    for (const pid of left) ended.add(pid);
    await killTree(identity, extra);
    await pause(delay);
    delay = Math.min(500, delay * 2);
  }
  return ended.size;
}

export type TaskTraits = {
  name: string;
  mark: string;
  directory: string;
  spared: number | null;
  /** Text in the command line of processes that may go without a word. */
  companions: string | null;
};

/** The processes of one task: where they are born, how they are signalled, and how the last of them is ended. */
export class TaskProcesses {
  readonly identity: TreeIdentity;
  readonly #cgroups: CgroupTree | null;
  readonly #user: SlotUser | null;
  #remembered: ProcessId[] = [];
  #fifo: bigint | null = null;
  readonly #spared: number | null;
  readonly #companions: string | null;
  #leader: ChildProcess | null = null;
  #watch: NodeJS.Timeout | null = null;

  constructor(cgroups: CgroupTree | null, user: SlotUser | null, task: TaskTraits) {
    this.#cgroups = cgroups;
    this.#spared = task.spared;
    this.#companions = task.companions;
    this.#user = user;
    this.identity = {
      cgroup: cgroups === null ? null : cgroups.create(task.name),
      user: user === null ? null : { uid: user.uid, gid: user.gid },
      leaders: [],
      mark: task.mark,
      directory: task.directory,
    };
  }

  get #extra(): Extra {
    return { remembered: this.#remembered, fifo: this.#fifo, spared: this.#spared };
  }

  /** Starts a process as the leader of a session of its own. @param fifo inode of its output */
  spawn(request: SpawnRequest, fifo: bigint): ChildProcess {
    const { file, args, cwd, env } = request;
    const [input, output, errors] = request.stdio;
    const owner = this.#user === null ? {} : { uid: this.#user.uid, gid: this.#user.gid };
    const start = (): ChildProcess =>
      spawn(file, args, { cwd, env, detached: true, stdio: [input ?? 'ignore', output, errors], ...owner });
    const cgroup = this.identity.cgroup;
    const child = cgroup === null || this.#cgroups === null ? start() : this.#cgroups.runInside(cgroup, start);
    this.#fifo = fifo;
    this.#leader = child;
    if (child.pid !== undefined) this.#follow(child.pid);
    return child;
  }

  #follow(pid: number): void {
    const entry = readProcess(pid);
    if (entry !== null) this.identity.leaders.push({ pid, start: entry.start });
    // Only the scan needs to remember: a process whose parent is gone cannot be told by its descent any more.
    if (strayModeOf(this.identity) !== 'scan') return;
    this.#watch = setInterval(() => this.#remember(pid), 1000);
  }

  #remember(leader: number): void {
    const known = new Set(this.#remembered.map((process) => process.pid));
    for (const pid of listDescendants(leader)) {
      const entry = known.has(pid) ? null : readProcess(pid);
      if (entry !== null) this.#remembered.push({ pid, start: entry.start });
    }
  }

  /** Whether there is a tool that has not exited. */
  get isLed(): boolean {
    const leader = this.#leader;
    return leader?.pid !== undefined && leader.exitCode === null && leader.signalCode === null;
  }

  /** To the leader's whole group; or to every process of the task, wherever it went. */
  signal(signal: NodeJS.Signals, whole: boolean): void {
    const leader = this.#leader?.pid;
    if (leader !== undefined && this.isLed) signalProcess(-leader, signal);
    if (!whole) return;
    for (const pid of listTree(this.identity, this.#extra)) if (pid > 0) signalProcess(pid, signal);
  }

  /** After the leader's end. What still writes the last lines gets a moment; what is left then is ended and counted. */
  async endStrays(): Promise<number> {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
    const giveUp = performance.now() + quietMs;
    let delay = 1;
    for (;;) {
      const left = listTree(this.identity, this.#extra);
      if (left.length === 0) return endTree(this.identity, this.#extra, 1);
      if (performance.now() >= giveUp) break;
      this.#dismissCompanions(left);
      await pause(delay);
      delay = Math.min(50, delay * 2);
    }
    return endTree(this.identity, this.#extra);
  }

  /** Connections that ssh keeps open for the next command: the tool knows that they stay, and nobody needs to be told. */
  #dismissCompanions(pids: number[]): void {
    const companions = this.#companions;
    if (companions === null) return;
    for (const pid of pids) if (readCommandLine(pid).includes(companions)) signalProcess(pid, 'SIGTERM');
  }

  dispose(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    if (this.identity.cgroup !== null) removeCgroup(this.identity.cgroup);
  }
}

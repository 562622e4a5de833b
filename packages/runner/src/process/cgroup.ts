import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const mountPoints = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/** The cgroup of this process in the v2 tree: where it is mounted, and its path in it. */
function findOwn(): string | null {
  const own = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  if (own === undefined) return null;
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const isV2 = (point: string): boolean => mounts.some((line) => line.includes(` ${point} cgroup2 `));
  const mount = mountPoints.find(isV2);
  return mount === undefined ? null : join(mount, own);
}

function writeProcs(directory: string, pid: number): void {
  writeFileSync(join(directory, 'cgroup.procs'), String(pid));
}

/**
 * Cgroups of this runner: one for each task, below the runner's own. Nothing leaves a cgroup by double fork, by a new session or by
 * an empty environment, so what is in it is exactly what the task has left behind.
 */
export class CgroupTree {
  readonly #own: string;
  readonly #root: string;

  private constructor(own: string, root: string) {
    this.#own = own;
    this.#root = root;
  }

  /** null where this runner may not make cgroups, or where the kernel cannot end them in one step. */
  static open(name: string): CgroupTree | null {
    try {
      const own = findOwn();
      if (own === null) return null;
      const root = join(own, `signalbox-${name}`);
      mkdirSync(root, { recursive: true });
      const tree = new CgroupTree(own, root);
      const trial = tree.create(`trial-${process.pid}`);
      // The whole way once: in, out, kill (needs Linux 5.14), remove.
      tree.runInside(trial, () => undefined);
      killMembers(trial);
      rmdirSync(trial);
      return tree;
    } catch {
      return null; // read-only, not delegated, or an old kernel: a weaker mode serves
    }
  }

  /** @returns the directory of a new, empty cgroup */
  create(name: string): string {
    const directory = join(this.#root, name);
    mkdirSync(directory, { recursive: true });
    return directory;
  }

  /**
   * Runs something that spawns, so that the child is born inside. The runner steps in and out again; all of it in one turn of the
   * event loop, so nothing else of ours can be born there. Starting through a shell that moves itself would cost a millisecond more.
   */
  runInside<T>(directory: string, spawn: () => T): T {
    writeProcs(directory, process.pid);
    try {
      return spawn();
    } finally {
      writeProcs(this.#own, process.pid);
    }
  }

  /** Removes what is left of this runner's cgroups. */
  close(): void {
    removeCgroup(this.#root);
  }
}

/** Living processes of a cgroup and of the ones below it (a task that runs containers makes some). */
export function listMembers(directory: string): number[] {
  let events: string;
  try {
    events = readFileSync(join(directory, 'cgroup.events'), 'latin1');
  } catch {
    return []; // it was removed
  }
  if (!events.includes('populated 1')) return [];
  const members = readFileSync(join(directory, 'cgroup.procs'), 'latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
  // Populated, but only further down: what counts is that it is not empty.
  return members.length > 0 ? members : [0];
}

export function killMembers(directory: string): void {
  // Could not happen, but would be the end of the runner and of all its tasks.
  if (listMembers(directory).includes(process.pid)) throw new Error(`this runner is inside of ${directory}`);
  try {
    writeFileSync(join(directory, 'cgroup.kill'), '1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Removes a cgroup, and the empty ones that the task made in it. */
export function removeCgroup(directory: string): void {
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) removeCgroup(join(directory, entry.name));
    }
    rmdirSync(directory);
  } catch {
    // Not empty yet, or gone: the next start of a runner removes what is left.
  }
}

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { listProcesses, type ProcessEntry, type ProcessId } from './process-table.ts';

/** Set in every process that a runner starts: `<instance>:<data directory>`. */
export const runnerMark = 'SIGNALBOX_RUNNER';
/** Set in every process of a task: its claim id. */
export const taskMark = 'SIGNALBOX_TASK_CLAIM';

/** What is known of the processes of one task. Each trait alone misses some; together they find almost all. */
export type Traits = {
  leaders: number[];
  /** Seen before; the start time tells whether the number is still the same process. */
  remembered: ProcessId[];
  /** `NAME=value` in the environment. */
  mark: string;
  /** Inode of the FIFO that takes the output. */
  fifo: bigint | null;
  /** The directory that nobody else works in. */
  directory: string;
  /** The oldest process that can be one of them: whatever is older need not be looked at. */
  since: ProcessId | null;
};

function isInside(directory: string, path: string): boolean {
  const steps = relative(directory, path);
  return steps === '' || (!steps.startsWith('..') && !isAbsolute(steps));
}

/** The environment of a process as it was started with; empty when it may not be read. */
export function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // gone, or of another user
  }
}

export function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // gone
  }
}

function worksInside(pid: number, directory: string): boolean {
  try {
    return isInside(directory, readlinkSync(`/proc/${pid}/cwd`));
  } catch {
    return false; // gone, or of another user
  }
}

function holdsFifo(pid: number, inode: bigint): boolean {
  try {
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      const stat = statSync(`/proc/${pid}/fd/${descriptor}`, { bigint: true, throwIfNoEntry: false });
      if (stat?.isFIFO() && stat.ino === inode) return true;
    }
  } catch {
    // gone, or of another user
  }
  return false;
}

function hasTrait(entry: ProcessEntry, traits: Traits): boolean {
  if (traits.leaders.includes(entry.group) || traits.leaders.includes(entry.session)) return true;
  if (traits.remembered.some((known) => known.pid === entry.pid && known.start === entry.start)) return true;
  if (readEnvironment(entry.pid).includes(traits.mark)) return true;
  if (worksInside(entry.pid, traits.directory)) return true;
  return traits.fifo !== null && holdsFifo(entry.pid, traits.fifo);
}

/** All processes with one of the traits, and all their descendants; never this process itself. */
export function findMarked(traits: Traits): ProcessEntry[] {
  const isCandidate = (entry: ProcessEntry): boolean => entry.pid !== process.pid && entry.pid !== 1;
  const entries = listProcesses(traits.since).filter(isCandidate);
  const found = new Map<number, ProcessEntry>();
  for (const entry of entries) if (hasTrait(entry, traits)) found.set(entry.pid, entry);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of entries) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
  return [...found.values()];
}

/** Children, and theirs, of a process while it still is their parent. */
export function listDescendants(pid: number): number[] {
  const found: number[] = [];
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of listChildren(next)) {
      found.push(child);
      open.push(child);
    }
  }
  return found;
}

function listChildren(pid: number): number[] {
  const children: number[] = [];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').trim();
      if (text !== '') children.push(...text.split(' ').map(Number));
    }
  } catch {
    // it ended while we looked
  }
  return children;
}

import { readdirSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** A process, told apart from a later one with the same number by the time of its start (clock ticks since boot). */
export type ProcessId = { pid: number; start: string };
export type ProcessEntry = ProcessId & { parent: number; group: number; session: number; isZombie: boolean };

let bootIdRead: string | null = null;

/** Changes with each boot: process numbers of another boot mean nothing. */
export function readBootId(): string {
  bootIdRead ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return bootIdRead;
}

/** null when there is no such process. */
export function readProcess(pid: number): ProcessEntry | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null; // it is gone
  }
  // The name stands in parentheses and may hold anything, parentheses too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  return {
    pid,
    start: fields[19] ?? '',
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    isZombie: state === 'Z' || state === 'X',
  };
}

export function isAlive(process: ProcessId): boolean {
  const entry = readProcess(process.pid);
  return entry !== null && entry.start === process.start && !entry.isZombie;
}

/** The kernel counts these in a second, on every machine. */
const ticksPerSecond = 100;
/** Numbers go round, but not in so short a time. */
const roundTrip = 5;

/** Lowest number that a process can have which was started when this one was, or later. */
function findLowest(oldest: ProcessId): number {
  const age = uptime() - Number(oldest.start) / ticksPerSecond;
  const last = Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  return age < roundTrip && last >= oldest.pid ? oldest.pid : 0;
}

/** @param since only processes that were started when this one was, or later */
export function listProcesses(since: ProcessId | null = null): ProcessEntry[] {
  const lowest = since === null ? 0 : findLowest(since);
  const oldest = since === null ? 0 : Number(since.start);
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isNaN(pid) || pid < lowest) continue;
    const entry = readProcess(pid);
    if (entry === null || Number(entry.start) < oldest) continue;
    if (!entry.isZombie) entries.push(entry);
  }
  return entries;
}

/** Sends a signal; a target that is gone, or that is not ours to signal, is no failure. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSpoolClaim } from '../log/recover-spool.ts';
import { removeCgroup } from '../process/cgroup.ts';
import { readEnvironment, runnerMark, taskMark } from '../process/marked-processes.ts';
import {
  isAlive,
  listProcesses,
  type ProcessEntry,
  type ProcessId,
  readBootId,
  signalProcess,
} from '../process/process-table.ts';
import { endTree, nothingExtra } from '../process/task-processes.ts';
import { type JournalEntry, type JournalRecord, listJournal } from './journal.ts';

/** What a runner finds on its disk when it starts. */
export type Inheritance = {
  /** Started tasks whose processes have been ended: their logs and endings are ours to bring to the server. */
  started: { directory: string; entry: JournalEntry; strays: number }[];
  /** Nothing of the tool had started: the server queues them again. */
  dropped: string[];
  /** Instances that drain and still live. */
  alongside: string[];
};

function ownerLives(entry: JournalEntry): boolean {
  return entry.boot_id === readBootId() && isAlive(entry.owner);
}

/** Numbers that may belong to somebody else by now are not used: another boot, another start. */
function recognise(entry: JournalEntry): JournalEntry['tree'] {
  return { ...entry.tree, leaders: entry.tree.leaders.filter((leader: ProcessId) => isSameOrGone(leader)) };
}

function isSameOrGone(leader: ProcessId): boolean {
  const others = listProcesses().find((process) => process.pid === leader.pid);
  return others === undefined || others.start === leader.start;
}

/**
 * Ends every process that runners before this one have left running for this data directory, and takes over what they held. Only a
 * runner with the lock may call this, and only before its first word to the server: by it the server knows that they are gone.
 */
export async function takeOver(tasksDirectory: string, dataDir: string): Promise<Inheritance> {
  const records = listJournal(tasksDirectory);
  const living = records.filter(({ entry }) => entry !== null && ownerLives(entry));
  const alongside = [...new Set(living.map(({ entry }) => entry?.instance ?? ''))];
  const inheritance: Inheritance = { started: [], dropped: [], alongside };
  for (const record of records) {
    if (!living.includes(record)) await takeOverTask(record, inheritance);
  }
  endOwnProcesses(dataDir, alongside);
  return inheritance;
}

async function takeOverTask({ directory, entry }: JournalRecord, inheritance: Inheritance): Promise<void> {
  if (entry === null) {
    await takeOverUnreadable(directory, inheritance);
    return;
  }
  rmSync(entry.secrets, { recursive: true, force: true });
  let strays = 0;
  if (entry.boot_id === readBootId()) strays = await endTree(recognise(entry), nothingExtra);
  if (entry.tree.cgroup !== null) removeCgroup(entry.tree.cgroup);
  if (entry.phase === 'preparing') inheritance.dropped.push(directory);
  else inheritance.started.push({ directory, entry, strays });
}

/** Without a spool nothing of it has run. With one it may have: then its log is brought to the server, and it is not run again. */
async function takeOverUnreadable(directory: string, inheritance: Inheritance): Promise<void> {
  const claim = readSpoolClaim(directory);
  if (claim === null) {
    inheritance.dropped.push(directory);
    return;
  }
  const mark = `${taskMark}=${claim.claim_id}`;
  const entry: JournalEntry = {
    version: 1,
    ...claim,
    phase: 'running',
    instance: '',
    owner: { pid: 0, start: '' },
    boot_id: readBootId(),
    tree: { cgroup: null, user: null, leaders: [], mark, directory },
    secrets: join(directory, 'secrets'),
    ending: null,
  };
  const strays = await endTree(entry.tree, nothingExtra);
  inheritance.started.push({ directory, entry, strays });
}

/** Ends git, ssh and agents that a killed runner had started for its own work. */
function endOwnProcesses(dataDir: string, alongside: string[]): void {
  for (const entry of listProcesses()) {
    const instance = readOwner(entry, dataDir);
    if (instance !== null && !alongside.includes(instance)) signalProcess(entry.pid, 'SIGKILL');
  }
}

function readOwner(entry: ProcessEntry, dataDir: string): string | null {
  if (entry.pid === process.pid) return null;
  const prefix = `${runnerMark}=`;
  const mark = readEnvironment(entry.pid)
    .find((variable) => variable.startsWith(prefix))
    ?.slice(prefix.length);
  const [instance, ...path] = (mark ?? '').split(':');
  return instance && path.join(':') === dataDir ? instance : null;
}

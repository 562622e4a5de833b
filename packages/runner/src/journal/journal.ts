import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Outcome } from '@signalbox/contract/runner-protocol';
import * as z from 'zod/mini';

const ProcessIdSchema = z.object({ pid: z.int(), start: z.string() });

/** How the task ended, once its tool is gone: a successor repeats exactly this. */
const Ending = z.object({
  outcome: Outcome,
  reason: z.string(),
  exit_code: z.nullable(z.int()),
  strays: z.int(),
});
export type Ending = z.infer<typeof Ending>;

/**
 * What a successor must know of a task to end its processes and to finish it. It holds no secret. Written by rename and without a
 * sync: a killed runner leaves it in the page cache, and after a power cut the boot id says that no process is left.
 */
export const JournalEntry = z.object({
  version: z.literal(1),
  task_id: z.int(),
  fence: z.int(),
  claim_id: z.string(),
  phase: z.enum(['preparing', 'running', 'ended']),
  instance: z.string(),
  owner: ProcessIdSchema,
  boot_id: z.string(),
  tree: z.object({
    cgroup: z.nullable(z.string()),
    user: z.nullable(z.object({ uid: z.int(), gid: z.int() })),
    leaders: z.array(ProcessIdSchema),
    mark: z.string(),
    directory: z.string(),
  }),
  /** The task's own directory for temporary files, outside of the data directory because sockets need short paths. */
  temp: z.string(),
  ending: z.nullable(Ending),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

const stateName = 'state.json';

export function taskDirectoryName(claim: { task_id: number; claim_id: string }): string {
  // A claim id is the server's, but a name on our disk: nothing but letters, digits and dashes.
  return `${claim.task_id}-${claim.claim_id.replaceAll(/[^A-Za-z0-9-]/g, '')}`;
}

/** The first entry. One that is cut short says what none would say: nothing was started. */
export function createJournalEntry(directory: string, entry: JournalEntry): void {
  writeFileSync(join(directory, stateName), JSON.stringify(entry), { mode: 0o600 });
}

export function writeJournalEntry(directory: string, entry: JournalEntry): void {
  const path = join(directory, stateName);
  writeFileSync(`${path}.new`, JSON.stringify(entry), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export type JournalRecord = { directory: string; entry: JournalEntry | null };

/** Every task directory on disk; the entry is null where there is none, or none that can be read. */
export function listJournal(tasksDirectory: string): JournalRecord[] {
  mkdirSync(tasksDirectory, { recursive: true, mode: 0o700 });
  return readdirSync(tasksDirectory).map((name) => {
    const directory = join(tasksDirectory, name);
    return { directory, entry: readJournalEntry(directory) };
  });
}

function readJournalEntry(directory: string): JournalEntry | null {
  try {
    const content: unknown = JSON.parse(readFileSync(join(directory, stateName), 'utf8'));
    return z.parse(JournalEntry, content);
  } catch {
    return null; // the runner died before it wrote one: nothing was started
  }
}

/** The parts of a task's directory. */
export type TaskPlaces = { directory: string; tree: string; spool: string; secrets: string; home: string };

export function listTaskPlaces(directory: string): TaskPlaces {
  return {
    directory,
    tree: join(directory, 'tree'),
    spool: directory,
    secrets: join(directory, 'secrets'),
    home: join(directory, 'home'),
  };
}

/** Secrets go at once, and before everything else. */
export function removeSecrets(directory: string): void {
  rmSync(listTaskPlaces(directory).secrets, { recursive: true, force: true });
}

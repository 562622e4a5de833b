import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
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
 * What a successor must know of a task to end its processes and to finish it. It holds no secret. Written without a sync: a killed
 * runner leaves it in the page cache, and after a power cut the boot id says that no process is left.
 */
export const JournalEntry = z.object({
  version: z.literal(1),
  task_id: z.int(),
  fence: z.int(),
  claim_id: z.string(),
  phase: z.enum(['preparing', 'running', 'waiting_confirmation', 'ended']),
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
  /** The task's directory for secrets and sockets: in memory, and with a short path. */
  secrets: z.string(),
  ending: z.nullable(Ending),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

const stateName = 'state.json';

export function taskDirectoryName(claim: { task_id: number; claim_id: string }): string {
  // A claim id is the server's, but a name on our disk: nothing but letters, digits and dashes.
  return `${claim.task_id}-${claim.claim_id.replaceAll(/[^A-Za-z0-9-]/g, '')}`;
}

/** Entries are padded to whole blocks: one that is written over needs no room on a disk that has become full. */
const blockBytes = 4096;

/**
 * The entry of one task, written over in place: one small write goes to the page cache as a whole, whenever the runner is killed, and
 * costs a tenth of a new file and a rename. One that is there stays until the first write: a successor of ours must find it.
 */
export class JournalFile {
  readonly #file: number;
  #length: number;

  constructor(directory: string) {
    const path = join(directory, stateName);
    this.#file = openSync(path, existsSync(path) ? 'r+' : 'w', 0o600);
    this.#length = fstatSync(this.#file).size;
  }

  write(entry: JournalEntry): void {
    const text = Buffer.from(JSON.stringify(entry));
    // Never shorter than what was there before: its end would stand behind the new one.
    const blocks = Math.ceil(Math.max(text.length, this.#length) / blockBytes);
    const bytes = Buffer.alloc(blocks * blockBytes, ' ');
    text.copy(bytes);
    this.#length = bytes.length;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done, bytes.length - done, done);
  }

  close(): void {
    closeSync(this.#file);
  }
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

/** Tried again when it cannot be read: a runner that drains may be writing it at this very moment. */
function readJournalEntry(directory: string, triesLeft = 3): JournalEntry | null {
  try {
    const content: unknown = JSON.parse(readFileSync(join(directory, stateName), 'utf8'));
    return z.parse(JournalEntry, content);
  } catch {
    // Nothing was started before there was an entry.
    return triesLeft === 0 ? null : readJournalEntry(directory, triesLeft - 1);
  }
}

/** Where the parts of a task are. `secrets` is in memory, the rest in its directory. */
export type TaskPlaces = { directory: string; tree: string; secrets: string; home: string };

export function listTaskPlaces(directory: string, secrets: string): TaskPlaces {
  return { directory, tree: join(directory, 'tree'), secrets, home: join(directory, 'home') };
}

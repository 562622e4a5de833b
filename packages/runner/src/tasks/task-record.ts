import { type Ending, type JournalEntry, JournalFile } from '../journal/journal.ts';
import type { Claim } from '../log/task-log.ts';
import { type runnerMark, taskMark } from '../process/marked-processes.ts';
import { readBootId } from '../process/process-table.ts';
import type { TreeIdentity } from '../process/task-processes.ts';
import type { Workshop } from './workshop.ts';

export type TaskMarks = { runner: string; task: string };

export function makeMarks(workshop: Workshop, claim: Claim): TaskMarks {
  return { runner: makeRunnerMark(workshop.instance, workshop.options.dataDir), task: claim.claim_id };
}

export function makeRunnerMark(instance: string, dataDir: string): string {
  return `${instance}:${dataDir}`;
}

export function makeMarkEntry(name: typeof runnerMark | typeof taskMark, value: string): string {
  return `${name}=${value}`;
}

export function makeJournalEntry(workshop: Workshop, claim: Claim, directory: string, secrets: string): JournalEntry {
  return {
    version: 1,
    ...claim,
    phase: 'preparing',
    instance: workshop.instance,
    owner: workshop.owner,
    boot_id: readBootId(),
    tree: { cgroup: null, user: null, leaders: [], mark: makeMarkEntry(taskMark, claim.claim_id), directory },
    secrets,
    ending: null,
  };
}

/** Keeps a task's journal entry at the truth. */
export class TaskRecord {
  readonly #file: JournalFile;
  #entry: JournalEntry;

  constructor(directory: string, entry: JournalEntry) {
    this.#file = new JournalFile(directory);
    this.#entry = entry;
    try {
      this.#file.write(entry);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** Before the first process of the tool is born, and again when its number is known. */
  noteRunning(tree: TreeIdentity): void {
    this.#entry = { ...this.#entry, phase: 'running', tree };
    this.#file.write(this.#entry);
  }

  /** A plan is gone with its runner, and a successor has to say so. */
  noteWaiting(isWaiting: boolean): void {
    this.#entry = { ...this.#entry, phase: isWaiting ? 'waiting_confirmation' : 'running' };
    this.#file.write(this.#entry);
  }

  noteEnded(ending: Ending): void {
    this.#entry = { ...this.#entry, phase: 'ended', ending };
    this.#file.write(this.#entry);
  }

  close(): void {
    this.#file.close();
  }
}

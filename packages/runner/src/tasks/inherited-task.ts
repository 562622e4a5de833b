import type { Hold } from '@signalbox/contract/runner-protocol';
import type { Ending, JournalEntry } from '../journal/journal.ts';
import { findUnsavedState, keepRefusedState } from '../journal/unsaved-state.ts';
import { SecretSearch } from '../log/mask.ts';
import { recoverSpool } from '../log/recover-spool.ts';
import { type Claim, TaskLog } from '../log/task-log.ts';
import type { StopReason } from './endings.ts';
import { Handover } from './handover.ts';
import { TaskRecord } from './task-record.ts';
import type { Workshop } from './workshop.ts';

export type Inherited = {
  directory: string;
  entry: JournalEntry;
  /** Processes of it that had to be ended. */
  strays: number;
};

/** A task without processes: its log and its ending are brought to the server. Mostly one that a runner before this one had started. */
export class InheritedTask {
  readonly #workshop: Workshop;
  readonly #directory: string;
  readonly #entry: JournalEntry;
  readonly #claim: Claim;
  readonly #log: TaskLog;
  #handover: Handover | null = null;
  readonly #forgotten = new AbortController();
  readonly #strays: number;

  constructor(workshop: Workshop, inherited: Inherited) {
    const { directory, entry, strays } = inherited;
    this.#workshop = workshop;
    this.#directory = directory;
    this.#entry = entry;
    this.#strays = strays;
    this.#claim = { task_id: entry.task_id, fence: entry.fence, claim_id: entry.claim_id };
    const { spool, position } = recoverSpool(directory, workshop.options.spoolLimit);
    this.#log = new TaskLog(this.#claim, new SecretSearch([]), spool, () => workshop.uploader.wake(), position);
  }

  get hold(): Hold {
    return { ...this.#claim, phase: 'ended', next_line: this.#log.wanted };
  }

  stop(reason: StopReason): void {
    if (reason !== 'forgotten') return;
    this.#forgotten.abort(new Error('the task is given up'));
    this.#handover?.forget();
  }

  say(line: string): void {
    this.#log.say(line);
  }

  async run(): Promise<void> {
    const refusal = await this.#bringState();
    const known = this.#entry.ending ?? this.#makeEnding();
    const ending: Ending = refusal === null ? known : { ...known, outcome: 'error', reason: refusal };
    this.#log.seal();
    this.#recordEnding(ending);
    this.#handover = new Handover(this.#claim, this.#log, this.#workshop);
    if (this.#forgotten.signal.aborted) this.#handover.forget();
    await this.#handover.finish(ending);
    this.#log.close();
    this.#workshop.trash.add(this.#directory);
  }

  /** A state of Terraform that its tool had handed in, or had to leave behind, when its runner was lost. @returns why it is not there */
  async #bringState(): Promise<string | null> {
    const { stateDoor, options, note } = this.#workshop;
    try {
      const unsaved = findUnsavedState(this.#directory);
      if (unsaved === null) return null;
      const refusal = await stateDoor.bring(unsaved, this.#forgotten.signal);
      if (refusal === null) {
        this.#log.say('The state that the tool had not brought to the server is there now');
        return null;
      }
      const path = keepRefusedState(options.dataDir, this.#directory, unsaved.body);
      const reason = `The server did not take the state (${refusal}); a copy is kept on the runner in ${path}`;
      this.#log.say(reason);
      return reason;
    } catch (error) {
      note(
        `Task ${this.#claim.task_id}: its state could not be brought: ${error instanceof Error ? error.message : error}`,
      );
      return null;
    }
  }

  /** From here on it is ours: a successor of this runner repeats the same ending. */
  #recordEnding(ending: Ending): void {
    const { instance, owner, note } = this.#workshop;
    try {
      new TaskRecord(this.#directory, { ...this.#entry, phase: 'ended', ending, instance, owner }).close();
    } catch (error) {
      note(`Task ${this.#claim.task_id}: its ending is not on disk: ${error instanceof Error ? error.message : error}`);
    }
  }

  #makeEnding(): Ending {
    if (this.#entry.phase === 'waiting_confirmation') {
      this.#log.say('Failed: the runner was lost while the plan waited to be confirmed; nothing was changed');
      const reason = 'the plan was lost with its runner';
      return { outcome: 'error', reason, exit_code: null, strays: this.#strays };
    }
    const count = this.#strays === 0 ? 'no process of it was left' : `${this.#strays} of its processes were ended`;
    this.#log.say(`Failed: the runner was lost while the task ran; ${count}`);
    return { outcome: 'error', reason: 'runner lost', exit_code: null, strays: this.#strays };
  }
}

import type {
  Command,
  Hold,
  SealedJob,
  SealedProbe,
  SyncAnswer,
  SyncRequest,
} from '@signalbox/contract/runner-protocol';
import { isFinal } from '@signalbox/contract/task-state';
import type { OnlineRunner } from './choose-tasks.ts';
import type { RunnerIdentity } from './runner-identity.ts';
import type { TaskRow } from './task-record.ts';

/** Older processes of the same runner, and whether there is a newer one. */
export type Siblings = {
  readonly older: readonly { instance: string; gone: boolean; lastSeen: number }[];
  readonly isReplaced: boolean;
};

export type Contact = {
  readonly identity: RunnerIdentity;
  readonly request: SyncRequest;
  /** Tasks that it has in hand, as they are stored. */
  readonly tasks: readonly TaskRow[];
  readonly forget: readonly Hold[];
  /** It shall finish what it holds, take nothing new, and end. */
  readonly mustDrain: boolean;
};

/** Tasks that this server has given away: what tells who got one last. */
let given = 0;

/**
 * One runner process as this server knows it: what it said last, what it has in hand, and what lies ready for it. It keeps
 * one sync open at a time; the newest one wins.
 */
export class RunnerSession {
  readonly instance: string;
  /** Started by this very server. */
  isFresh = false;
  /** Loaded at the first contact. */
  siblings:
    | { older: readonly { instance: string; gone: boolean; lastSeen: number }[]; isReplaced: boolean }
    | undefined;
  /** When it was last heard of, and when that was last written down. */
  lastHeard = 0;
  lastSaved = 0;
  savedAs = '';
  #contact: Contact | undefined;
  readonly #tasks = new Map<number, TaskRow>();
  readonly #jobs: SealedJob[] = [];
  readonly #probes: SealedProbe[] = [];
  #askedLast: string[] = [];
  #probesDone: string[] = [];
  /** Ends of tasks that were reported since the sync was sent: their slots are free again. */
  #finished = 0;
  #batch = 0;
  #lastGiven = 0;
  /** Commands of the last answer, and those of it that have arrived. */
  #told = '';
  #heeded = '';
  #turn = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** Claims under way that may bring work: an answer waits for them. */
  #expected = 0;
  #isWaiting = false;
  #nudge: (() => void) | undefined;
  #isClosing = false;

  constructor(instance: string) {
    this.instance = instance;
  }

  get contact(): Contact | undefined {
    return this.#contact;
  }

  /** Tasks whose jobs were in no answer yet. */
  get undelivered(): ReadonlySet<number> {
    return new Set(this.#jobs.map((job) => job.task_id));
  }

  /** Runs the syncs of this process one after the other. One that still waits is answered at once when the next comes. */
  async inTurn<T>(work: (turn: number) => Promise<T>): Promise<T> {
    this.#turn += 1;
    const turn = this.#turn;
    this.poke();
    const run = this.#last.then(() => work(turn));
    this.#last = run.catch(() => undefined);
    return await run;
  }

  begin(contact: Contact): void {
    this.#contact = contact;
    this.#tasks.clear();
    for (const task of contact.tasks) this.#tasks.set(task.id, task);
    this.#finished = 0;
    // Commands that the runner is known to have read need no answer of their own again.
    this.#heeded = contact.request.seen === this.#batch ? this.#told : '';
  }

  /** What it could take now, as the claim sees it; undefined while it takes nothing. */
  toTaker(): OnlineRunner | undefined {
    const contact = this.#contact;
    if (contact === undefined || !this.#isWaiting || !this.#mayTake(contact)) return undefined;
    const { identity, request } = contact;
    return {
      instance: this.instance,
      runnerId: identity.runnerId,
      projectId: identity.projectId,
      tag: identity.tag,
      free: request.free === null ? null : Math.max(0, request.free + this.#finished - this.#jobs.length),
      limit: identity.limit,
      lastGiven: this.#lastGiven,
      isHere: true,
    };
  }

  #mayTake({ identity, request, mustDrain }: Contact): boolean {
    return identity.active && !request.draining && !mustDrain && !this.#isClosing;
  }

  /** Holds answers back until the returned function is called: work may be on its way. */
  expectWork(): () => void {
    this.#expected += 1;
    return () => {
      this.#expected -= 1;
      this.poke();
    };
  }

  giveJob(job: SealedJob, task: TaskRow): void {
    given += 1;
    this.#lastGiven = given;
    this.#jobs.push(job);
    this.#tasks.set(task.id, task);
    this.poke();
  }

  /** A question takes no slot: whoever listens and takes work may be asked. */
  get mayProbe(): boolean {
    return this.#contact !== undefined && this.#isWaiting && this.#mayTake(this.#contact);
  }

  giveProbe(probe: SealedProbe): void {
    this.#probes.push(probe);
    this.poke();
  }

  /** Questions of the last answer, when that answer was lost. */
  takeLostProbes(seen: number): string[] {
    const lost = seen === this.#batch ? [] : this.#askedLast;
    this.#askedLast = [];
    return lost;
  }

  acknowledgeProbes(ids: readonly string[]): void {
    this.#probesDone.push(...ids);
    if (ids.length > 0) this.poke();
  }

  /** A task of this process has changed: a stop may have been asked for. */
  noteTask(task: TaskRow): void {
    if (isFinal(task.status) || task.instance !== this.instance) this.#tasks.delete(task.id);
    else this.#tasks.set(task.id, task);
    this.poke();
  }

  noteFinish(): void {
    this.#finished += 1;
  }

  /** It is not about to end. */
  get takesWork(): boolean {
    return this.#contact !== undefined && this.#mayTake(this.#contact);
  }

  /** A sync is open. */
  get isOpen(): boolean {
    return this.#isWaiting;
  }

  /** Tells a process that has nothing in hand to end. */
  drainIfIdle(): void {
    const contact = this.#contact;
    if (contact === undefined || this.#tasks.size > 0) return;
    // What has ended since the sync was sent is still among its holds.
    if (contact.request.holds.length > this.#finished) return;
    this.#contact = { ...contact, mustDrain: true };
    this.poke();
  }

  /** Answers an open sync, and every later one at once. */
  close(): void {
    this.#isClosing = true;
    this.poke();
  }

  poke(): void {
    this.#nudge?.();
  }

  /**
   * Waits until there is something to say, at most `holdMs`, and takes what lies ready. Who is not listened to any more, or was
   * replaced by a newer sync, takes nothing: that is for the next one.
   * @param signal is aborted when nobody listens any more
   */
  async waitForAnswer(turn: number, signal: AbortSignal, holdMs: number): Promise<Omit<SyncAnswer, 'servers'>> {
    await this.#waitForNews(turn, signal, holdMs);
    if (signal.aborted || turn !== this.#turn) {
      return { batch: this.#batch, jobs: [], probes: [], commands: [], probes_done: [] };
    }
    return this.#takeAnswer();
  }

  async #waitForNews(turn: number, signal: AbortSignal, holdMs: number): Promise<void> {
    let isOver = signal.aborted;
    const end = () => {
      isOver = true;
      this.poke();
    };
    const timer = setTimeout(end, holdMs);
    signal.addEventListener('abort', end, { once: true });
    this.#isWaiting = true;
    try {
      while (this.#expected > 0 || !(isOver || turn !== this.#turn || this.#isClosing || this.#hasNews())) {
        if (signal.aborted || turn !== this.#turn) this.#isWaiting = false;
        await new Promise<void>((resolve) => {
          this.#nudge = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      this.#isWaiting = false;
      this.#nudge = undefined;
    }
  }

  #takeAnswer(): Omit<SyncAnswer, 'servers'> {
    const commands = this.#listCommands();
    this.#batch += 1;
    this.#told = JSON.stringify(commands);
    this.#askedLast = this.#probes.map((probe) => probe.probe_id);
    const answer = {
      batch: this.#batch,
      jobs: this.#jobs.splice(0),
      probes: this.#probes.splice(0),
      commands,
      probes_done: this.#probesDone,
    };
    this.#probesDone = [];
    return answer;
  }

  #hasNews(): boolean {
    if (this.#jobs.length + this.#probes.length + this.#probesDone.length > 0) return true;
    const commands = this.#listCommands();
    return commands.length > 0 && JSON.stringify(commands) !== this.#heeded;
  }

  /** What the stored state asks of it: the same as long as the state is the same. */
  #listCommands(): Command[] {
    const commands: Command[] = [];
    for (const hold of this.#contact?.forget ?? []) commands.push({ kind: 'forget', ...toClaim(hold) });
    for (const task of this.#tasks.values()) {
      const kind = readCommand(task);
      if (kind === undefined || task.claim_id === null) continue;
      commands.push({ kind, task_id: task.id, fence: task.fence, claim_id: task.claim_id });
    }
    if (this.#contact?.mustDrain) commands.push({ kind: 'drain' });
    return commands;
  }
}

function toClaim({ task_id, fence, claim_id }: Hold) {
  return { task_id, fence, claim_id };
}

function readCommand(task: TaskRow): 'stop' | 'force' | 'confirm' | 'reject' | undefined {
  switch (task.status) {
    case 'stopping':
      return task.stop_requested === 'force' ? 'force' : 'stop';
    case 'confirmed':
      return 'confirm';
    case 'rejected':
      return 'reject';
    default:
      return undefined;
  }
}

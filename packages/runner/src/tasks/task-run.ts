import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Hold, HoldPhase } from '@signalbox/contract/runner-protocol';
import { type Ending, listTaskPlaces, type TaskPlaces } from '../journal/journal.ts';
import { maskSentence, SecretSearch } from '../log/mask.ts';
import { shortestSecret } from '../log/secret-forms.ts';
import { Spool } from '../log/spool.ts';
import { TaskLog } from '../log/task-log.ts';
import { untilAborted } from '../pause.ts';
import { withGrace, withoutCare } from '../process/escalation.ts';
import { taskMark } from '../process/marked-processes.ts';
import type { SlotUser } from '../process/slot-users.ts';
import { strayModeOf, TaskProcesses } from '../process/task-processes.ts';
import type { Review, Step } from '../tools/adapter.ts';
import { confirmPlan, type Decision } from './confirm-plan.ts';
import {
  describeStop,
  endAs,
  explainExit,
  explainFailure,
  isHard,
  rejectedEnding,
  type StopReason,
  succeed,
} from './endings.ts';
import { Handover } from './handover.ts';
import { type PreparedTask, prepareTask } from './prepare-task.ts';
import { TaskClock } from './task-clock.ts';
import { controlPathOf, listSecrets } from './task-env.ts';
import type { TaskPlan } from './task-plan.ts';
import { makeJournalEntry, makeMarkEntry, makeMarks, TaskRecord } from './task-record.ts';
import { ToolRun } from './tool-run.ts';
import type { Workshop } from './workshop.ts';

/** One task, from the opened job to the server's last word. Everything that it starts, it ends. */
export class TaskRun {
  readonly #workshop: Workshop;
  readonly #plan: TaskPlan;
  readonly #places: TaskPlaces;
  readonly #search: SecretSearch;
  readonly #log: TaskLog;
  readonly #handover: Handover;
  readonly #record: TaskRecord;
  readonly #user: SlotUser | null;
  readonly #abort = new AbortController();
  #phase: HoldPhase = 'preparing';
  #reason: StopReason | null = null;
  #tool: ToolRun | null = null;
  readonly #clock: TaskClock;
  readonly #decision = Promise.withResolvers<Decision>();
  /** Whether the server may have been asked for the start. */
  #hasAsked = false;

  constructor(workshop: Workshop, plan: TaskPlan) {
    const { claim, job, directory } = plan;
    this.#workshop = workshop;
    this.#plan = plan;
    this.#places = listTaskPlaces(directory, plan.secrets);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#record = new TaskRecord(directory, makeJournalEntry(workshop, claim, directory, plan.secrets));
    this.#search = new SecretSearch([...listSecrets(job), ...workshop.options.hiddenValues]);
    const spool = new Spool(directory, workshop.options.spoolLimit);
    this.#log = new TaskLog(claim, this.#search, spool, () => workshop.uploader.wake());
    // After all that can fail: a user that is taken here is given back by `run`.
    this.#user = this.#takeUser();
    this.#handover = new Handover(claim, this.#log, workshop, () => this.stop('forgotten'));
    this.#clock = new TaskClock(job.timeout_seconds, () => this.stop('timeout'));
    this.#clock.go();
  }

  #takeUser(): SlotUser | null {
    const user = this.#workshop.slots?.take() ?? null;
    // Slot users pass through it to what is theirs, and see nothing else of it.
    if (user !== null) chmodSync(this.#plan.directory, 0o711);
    return user;
  }

  get hold(): Hold {
    return { ...this.#plan.claim, phase: this.#phase, next_line: this.#log.wanted };
  }

  /** May be asked for again and again. A harder way takes over from a softer one, never the reverse. */
  stop(reason: StopReason): void {
    if (this.#phase === 'ended') {
      if (reason === 'forgotten') this.#forget();
      return;
    }
    if (this.#reason === reason) return;
    if (this.#reason !== null && !isHard(reason)) return;
    this.#reason = reason;
    this.#log.say(describeStop(reason));
    this.#abort.abort(new Error('the task is stopped'));
    if (reason === 'forgotten') this.#forget();
    this.#escalate();
  }

  #forget(): void {
    this.#handover.forget();
    this.#workshop.stateDoor.close(this.#plan.directory);
  }

  #escalate(): void {
    if (this.#reason === null) return;
    this.#tool?.escalate(isHard(this.#reason));
  }

  /** What a person has said about the plan. May be repeated: the first word counts, as it does at the server. */
  decide(decision: Decision): void {
    this.#decision.resolve(decision);
  }

  /** Never fails: whatever goes wrong is the task's ending. */
  async run(): Promise<void> {
    try {
      const ending = await this.#work();
      this.#phase = 'ended';
      this.#clock.stop();
      this.#attempt(() => rmSync(this.#places.secrets, { recursive: true, force: true }));
      await this.#workshop.trash.relieve(this.#places.tree, this.#places.home);
      // Nothing of the tool has run: without a word of ours, the server gives the task to the next runner.
      if (this.#isUnbegun()) this.#handover.forget();
      else if (this.#reason !== 'forgotten') await this.#handOver(ending);
    } finally {
      this.#cleanUp();
    }
  }

  #isUnbegun(): boolean {
    return !this.#hasAsked && (this.#reason === 'shutdown' || this.#reason === 'shutdown_now');
  }

  /** For what the task's truth does not depend on: a full disk must not take its ending away from it. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#workshop.note(`Task ${this.#plan.claim.task_id}: ${why}`);
    }
  }

  async #work(): Promise<Ending> {
    let prepared: PreparedTask | null = null;
    try {
      prepared = await this.#prepare();
      this.#hasAsked = true;
      const asked = this.#handover.askForStart(prepared.commit, prepared.subject);
      const verdict = await untilAborted(asked, this.#abort.signal);
      if (verdict === 'stop') this.stop('stop');
      if (this.#reason === null) return this.#withStrays(await this.#runSteps(prepared));
    } catch (error) {
      if (this.#reason === null) return this.#withStrays(explainFailure(error));
    } finally {
      prepared?.close();
    }
    return this.#withStrays(this.#endStopped(null));
  }

  #endStopped(exitCode: number | null): Ending {
    return endAs(this.#reason ?? 'stop', this.#plan.job.timeout_seconds, exitCode);
  }

  #withStrays(ending: Ending): Ending {
    return { ...ending, strays: this.#tool?.strays ?? 0, reason: maskSentence(this.#search, ending.reason) };
  }

  #prepare(): Promise<PreparedTask> {
    const { job, claim, created } = this.#plan;
    const short = listSecrets(job).filter((secret) => Buffer.byteLength(secret) < shortestSecret).length;
    if (short > 0)
      this.#log.say(
        `${short} of the secrets are shorter than ${shortestSecret} bytes: they are not masked in this log`,
      );
    return prepareTask({
      workshop: this.#workshop,
      job,
      claimId: claim.claim_id,
      marks: makeMarks(this.#workshop, claim),
      places: this.#places,
      user: this.#user,
      created,
      signal: this.#abort.signal,
      say: (line) => this.#log.say(line),
    });
  }

  async #runSteps(prepared: PreparedTask): Promise<Ending> {
    const tool = this.#openTool(prepared);
    const first = await this.#runAll(tool, prepared.steps, prepared.dropKey);
    if (first.ending !== null) return first.ending;
    if (prepared.review === null) return succeed(first.codes.at(-1) ?? 0);
    return this.#carryOut(tool, prepared.review, first.codes);
  }

  #openTool(prepared: PreparedTask): ToolRun {
    const { claim, job, secrets } = this.#plan;
    const name = `${claim.task_id}-${claim.claim_id.slice(0, 16)}`;
    const mark = makeMarkEntry(taskMark, claim.claim_id);
    const spared = prepared.agent?.pid ?? null;
    const companions = job.app.id === 'ansible' ? controlPathOf(secrets) : null;
    const traits = { name, mark, directory: this.#places.directory, spared, companions };
    const processes = new TaskProcesses(this.#workshop.cgroups, this.#user, traits);
    const tool = new ToolRun({
      processes,
      fifos: this.#workshop.fifos,
      owner: this.#user,
      log: this.#log,
      stop: withGrace(prepared.adapter.stop, job.stop_grace_seconds),
      stopWithoutCare: withoutCare(job.stop_grace_seconds),
      onStarted: () => this.#noteStarted(processes),
    });
    this.#tool = tool;
    this.#phase = 'running';
    this.#record.noteRunning(processes.identity);
    return tool;
  }

  /** One after the other, until one fails or the task is stopped. */
  async #runAll(tool: ToolRun, steps: readonly Step[], dropKey: () => void) {
    const codes: (number | null)[] = [];
    for (const step of steps) {
      if (!step.usesKey) dropKey();
      const end = await tool.run(step);
      codes.push(end.exitCode);
      const ending = this.#reason === null ? explainExit(step, end) : this.#endStopped(end.exitCode);
      if (ending !== null) return { codes, ending };
    }
    return { codes, ending: null };
  }

  /** The plan is made: shown, confirmed, and applied as it is. */
  async #carryOut(tool: ToolRun, review: Review, codes: readonly (number | null)[]): Promise<Ending> {
    const plan = review.readPlan(codes);
    if (plan === null) {
      this.#log.say('Nothing would change');
      return succeed(0);
    }
    const changes = plan.changes.map((item) => ({ ...item, address: maskSentence(this.#search, item.address) }));
    const confirmation = {
      handover: this.#handover,
      log: this.#log,
      decision: this.#decision.promise,
      signal: this.#abort.signal,
      onWaiting: (isWaiting: boolean) => this.#wait(isWaiting),
    };
    const verdict = await confirmPlan(confirmation, review, { ...plan, changes });
    if (verdict === 'reject') return rejectedEnding;
    if (verdict === 'done') return succeed(0);
    if (verdict === 'stop') this.stop('stop');
    if (this.#reason !== null) return this.#endStopped(null);
    const { ending } = await this.#runAll(tool, review.apply, () => undefined);
    return ending ?? succeed(0);
  }

  #wait(isWaiting: boolean): void {
    if (isWaiting) this.#clock.stop();
    else this.#clock.go();
    this.#phase = isWaiting ? 'waiting_confirmation' : 'running';
    this.#attempt(() => this.#record.noteWaiting(isWaiting));
  }

  #noteStarted(processes: TaskProcesses): void {
    // A cgroup says all by its name; the weaker modes need the leader's number.
    if (strayModeOf(processes.identity) !== 'cgroup') {
      this.#attempt(() => this.#record.noteRunning(processes.identity));
    }
    this.#escalate();
  }

  async #handOver(ending: Ending): Promise<void> {
    const failed = this.#log.diskFailure;
    const final: Ending =
      failed === null ? ending : { ...ending, outcome: 'error', reason: `A part of the log is lost: ${failed}` };
    if (final.outcome === 'error') this.#log.say(`Failed: ${final.reason}`);
    this.#log.seal();
    this.#attempt(() => this.#record.noteEnded(final));
    // What the tool has done must be known before anybody may build on it.
    const refusal = await this.#workshop.stateDoor.settle(this.#plan.directory);
    await this.#handover.finish(refusal === null ? final : { ...final, outcome: 'error', reason: refusal });
  }

  /** Each part whatever became of the others. */
  #cleanUp(): void {
    this.#workshop.stateDoor.close(this.#plan.directory);
    this.#attempt(() => this.#tool?.processes.dispose());
    this.#attempt(() => this.#log.close());
    this.#attempt(() => this.#record.close());
    const { directory } = this.#plan;
    const user = this.#user;
    if (user === null) {
      this.#attempt(() => this.#workshop.trash.add(directory));
      return;
    }
    // The slot's next task is another project's: nothing of this one may be within its reach when it begins.
    this.#attempt(() => {
      chmodSync(directory, 0o700);
      rmSync(directory, { recursive: true, force: true });
    });
    this.#workshop.slots?.release(user);
  }
}

import type { Plan } from '@signalbox/contract/plan';
import type { ReportAnswer } from '@signalbox/contract/runner-protocol';
import type { Ending } from '../journal/journal.ts';
import type { LogSource, LogUploader } from '../link/log-uploader.ts';
import type { ReportQueue } from '../link/report-queue.ts';
import type { Claim, TaskLog } from '../log/task-log.ts';

export type StartVerdict = 'run' | 'stop' | 'forget';

/** Brings one claim's log and reports to the server: the first line to the last word. */
export class Handover {
  readonly #claim: Claim;
  readonly #log: TaskLog;
  readonly #reports: ReportQueue;
  readonly #uploader: LogUploader;
  readonly #source: LogSource;
  readonly #onForgotten: () => void;
  #isForgotten = false;
  #progress = Promise.withResolvers<void>();

  constructor(
    claim: Claim,
    log: TaskLog,
    link: { reports: ReportQueue; uploader: LogUploader },
    onForgotten: () => void = () => undefined,
  ) {
    this.#claim = claim;
    this.#log = log;
    this.#reports = link.reports;
    this.#uploader = link.uploader;
    this.#onForgotten = onForgotten;
    this.#source = {
      taskId: claim.task_id,
      log,
      onAcknowledged: () => this.#announce(),
      onForgotten: () => this.forget(),
    };
    this.#uploader.add(this.#source);
  }

  #announce(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers<void>();
  }

  /** May the tool start? Asked until a server answers. */
  async askForStart(commit: string | null, subject: string): Promise<StartVerdict> {
    const report = { kind: 'start' as const, ...this.#claim, commit_hash: commit, commit_message: subject };
    const answer = await this.#reports.send(report);
    if (answer.verdict === 'run' || answer.verdict === 'stop') return answer.verdict;
    // Done: it has ended already, so it is not ours to start.
    this.forget();
    return 'forget';
  }

  /** What would change. `run`: it was approved beforehand; `wait`: a person decides. */
  async reportPlan(plan: Plan, approved: boolean): Promise<StartVerdict | 'wait'> {
    const { verdict } = await this.#reports.send({ kind: 'plan', ...this.#claim, plan, approved });
    if (verdict === 'run' || verdict === 'wait' || verdict === 'stop') return verdict;
    this.forget();
    return 'forget';
  }

  /** It was confirmed: may it be carried out? Asked until a server answers. */
  async askToResume(): Promise<StartVerdict> {
    const { verdict } = await this.#reports.send({ kind: 'resume', ...this.#claim });
    if (verdict === 'run' || verdict === 'stop') return verdict;
    this.forget();
    return 'forget';
  }

  /** Returns when the server has the whole log and the outcome, or does not want them. */
  async finish(ending: Ending): Promise<void> {
    this.#uploader.wake();
    while (!this.#isForgotten) {
      await this.#waitForLog();
      if (this.#isForgotten) break;
      const answer = await this.#reports.send({ kind: 'finish', ...this.#claim, ...ending, seal: this.#log.sealed });
      if (answer.verdict !== 'log_incomplete') break;
      this.#rewind(answer);
    }
    this.#uploader.remove(this.#source);
  }

  async #waitForLog(): Promise<void> {
    while (!this.#log.isHandedOver && !this.#isForgotten) await this.#progress.promise;
  }

  /** The server lost lines that it had acknowledged: they are still in the spool. */
  #rewind(answer: Extract<ReportAnswer, { verdict: 'log_incomplete' }>): void {
    this.#log.acknowledge(answer.next_line);
    this.#uploader.wake();
  }

  /** The claim is not ours any more: nothing more goes up. */
  forget(): void {
    if (this.#isForgotten) return;
    this.#isForgotten = true;
    this.#uploader.remove(this.#source);
    this.#reports.forget(this.#claim.claim_id);
    this.#announce();
    this.#onForgotten();
  }
}

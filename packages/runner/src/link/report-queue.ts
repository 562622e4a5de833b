import {
  type ProbeAnswer,
  type Report,
  type ReportAnswer,
  ReportsAnswer,
  type ReportsRequest,
} from '@signalbox/contract/runner-protocol';
import { Backoff } from '../pause.ts';
import { Refused, type ServerLink } from './server-link.ts';

const timeoutMs = 30_000;
const mostReports = 256;
/** So often one report is sent by itself before it is given up: a proxy may have been in the way. */
const mostRefusals = 3;

type Waiting = { report: Report; resolve: (answer: ReportAnswer) => void };

/** Sends reports: one request is in flight, what comes meanwhile waits and goes together. Repeats until it is answered. */
export class ReportQueue {
  readonly #link: ServerLink;
  readonly #instance: string;
  readonly #note: (text: string) => void;
  readonly #stopped = new AbortController();
  #waiting: Waiting[] = [];
  #probes: ProbeAnswer[] = [];
  #isBusy = false;
  #limit = mostReports;
  #refusals = 0;

  constructor(link: ServerLink, instance: string, note: (text: string) => void) {
    this.#link = link;
    this.#instance = instance;
    this.#note = note;
  }

  send(report: Report): Promise<ReportAnswer> {
    const { promise, resolve } = Promise.withResolvers<ReportAnswer>();
    this.#waiting.push({ report, resolve });
    this.#start();
    return promise;
  }

  sendProbeAnswer(answer: ProbeAnswer): void {
    this.#probes.push(answer);
    this.#start();
  }

  /** The claim is not ours any more: what it still wanted to say is of no use. */
  forget(claimId: string): void {
    const isOurs = (item: Waiting): boolean => item.report.claim_id === claimId;
    const forgotten = this.#waiting.filter(isOurs);
    this.#waiting = this.#waiting.filter((item) => !isOurs(item));
    for (const item of forgotten) item.resolve({ verdict: 'forget', task_id: item.report.task_id });
  }

  #start(): void {
    if (this.#isBusy || this.#stopped.signal.aborted) return;
    this.#isBusy = true;
    // What is reported in the same turn of the event loop goes in one request.
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    const backoff = new Backoff();
    while ((this.#waiting.length > 0 || this.#probes.length > 0) && !this.#stopped.signal.aborted) {
      const batch = this.#waiting.slice(0, this.#limit);
      const probes = [...this.#probes];
      try {
        const answers = await this.#post(batch, probes);
        for (const [index, item] of batch.entries()) {
          const answer = answers[index];
          if (answer !== undefined) item.resolve(answer);
        }
        const answered = new Set(batch.slice(0, answers.length));
        this.#waiting = this.#waiting.filter((item) => !answered.has(item));
        this.#probes = this.#probes.slice(probes.length);
        this.#limit = mostReports;
        this.#refusals = 0;
        backoff.reset();
      } catch (error) {
        // The report is still true, whatever failed, and is sent again.
        if (!this.#divide(batch, error)) await backoff.wait(this.#stopped.signal);
      }
    }
    this.#isBusy = false;
  }

  /**
   * One report that the server cannot take must not hold up all others: it is looked for by halves, and given up.
   * @returns whether the next attempt is another one
   */
  #divide(batch: Waiting[], error: unknown): boolean {
    if (!(error instanceof Refused) || (error.status !== 400 && error.status !== 413)) return false;
    // They go with the next sync as well.
    this.#probes = [];
    const [first, ...rest] = batch;
    if (rest.length > 0) {
      this.#limit = Math.ceil(batch.length / 2);
      return true;
    }
    this.#refusals += 1;
    // Only the server itself can judge that, and it has a code for it.
    if (first === undefined || error.code === 'unknown' || this.#refusals < mostRefusals) return false;
    const { task_id, kind } = first.report;
    this.#note(`Task ${task_id}: the server does not take its ${kind} report: ${error.message}`);
    this.#waiting = this.#waiting.filter((item) => item !== first);
    this.#refusals = 0;
    first.resolve({ verdict: 'forget', task_id });
    return true;
  }

  async #post(batch: Waiting[], probes: ProbeAnswer[]): Promise<ReportAnswer[]> {
    const body: ReportsRequest = { instance: this.#instance, reports: batch.map((item) => item.report) };
    if (probes.length > 0) body.probe_answers = probes;
    const options = { timeoutMs, signal: this.#stopped.signal };
    return (await this.#link.postJson('/reports', body, ReportsAnswer, options)).answers;
  }

  stop(): void {
    this.#stopped.abort();
  }
}

import { SyncAnswer, type SyncRequest, syncHoldMs } from '@signalbox/contract/runner-protocol';
import { Backoff } from '../pause.ts';
import { Refused, type ServerLink } from './server-link.ts';

const timeoutMs = syncHoldMs + 15_000;

export type SyncPartner = {
  /** What this runner is and has, at this moment. */
  describe: () => SyncRequest;
  take: (answer: SyncAnswer) => void;
  /** The server was reached, but does not talk to this runner. */
  onRefused: (refusal: Refused) => void;
  /** After each attempt that failed. */
  onSilence: () => void;
};

/** One request is open at all times: heartbeat, claim and command channel in one. */
export class SyncLoop {
  readonly #link: ServerLink;
  readonly #partner: SyncPartner;
  readonly #stopped = new AbortController();
  #current = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(link: ServerLink, partner: SyncPartner) {
    this.#link = link;
    this.#partner = partner;
  }

  start(): void {
    this.#done = this.#work();
  }

  async #work(): Promise<void> {
    const backoff = new Backoff();
    const signal = this.#stopped.signal;
    while (!signal.aborted) {
      this.#current = new AbortController();
      const either = AbortSignal.any([signal, this.#current.signal]);
      try {
        const options = { timeoutMs, signal: either };
        const answer = await this.#link.postJson('/sync', this.#partner.describe(), SyncAnswer, options);
        backoff.reset();
        if (!signal.aborted) this.#partner.take(answer);
      } catch (error) {
        if (signal.aborted) return;
        if (either.aborted) continue;
        if (error instanceof Refused) this.#partner.onRefused(error);
        this.#partner.onSilence();
        await backoff.wait(signal);
      }
    }
  }

  /** What the open request says is not true any more. A job that crosses the next one is given out again. */
  renew(): void {
    this.#current.abort();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#done;
  }
}

import type { Hold } from '@signalbox/contract/runner-protocol';
import type { Claim } from '../log/task-log.ts';
import { explainFailure, type StopReason } from './endings.ts';
import type { Workshop } from './workshop.ts';

/**
 * A task that could not be taken in hand, because the disk is full, say. It has neither directory nor log, since that is what
 * failed; the server hears why. If it heard nothing, it would hand the same task out again at once, and say of a runner that
 * is there that it was lost.
 */
export class UntakenTask {
  readonly #workshop: Workshop;
  readonly #claim: Claim;
  readonly #failure: unknown;

  constructor(workshop: Workshop, claim: Claim, failure: unknown) {
    this.#workshop = workshop;
    this.#claim = claim;
    this.#failure = failure;
  }

  get hold(): Hold {
    return { ...this.#claim, phase: 'ended', next_line: 1 };
  }

  stop(reason: StopReason): void {
    if (reason === 'forgotten') this.#workshop.reports.forget(this.#claim.claim_id);
  }

  async run(): Promise<void> {
    const seal = { lines: 0, bytes: 0, crc: 0 };
    await this.#workshop.reports.send({ kind: 'finish', ...this.#claim, ...explainFailure(this.#failure), seal });
  }
}

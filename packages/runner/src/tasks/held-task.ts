import type { Hold } from '@signalbox/contract/runner-protocol';
import type { Decision } from './confirm-plan.ts';
import type { StopReason } from './endings.ts';

/** A task that this runner has in hand, whatever it is doing with it. */
export type HeldTask = {
  readonly hold: Hold;
  stop: (reason: StopReason) => void;
  /** Only a task with a plan has something to be decided. */
  decide?: (decision: Decision) => void;
  run: () => Promise<void>;
};

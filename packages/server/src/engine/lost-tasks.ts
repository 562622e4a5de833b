import { maxClaims } from '@signalbox/contract/runner-protocol';
import type { TaskRow } from './task-record.ts';
import type { Step } from './task-steps.ts';

/** The end of the reason of a task whose runner was given up without a proof that it is dead. */
const doubt = 'what it started may still be running there';

export function mayStillRun(reason: string): boolean {
  return reason.endsWith(doubt);
}

/** Why a task of a runner that is not heard of was ended. */
export function explainDoubt(what: string, since: number): string {
  return `${what} not heard of since ${new Date(since).toISOString()}; ${doubt}`;
}

/** A task that was not started and is in nobody's hands: it waits again, but not for ever. */
export function requeueStep(task: TaskRow): Step {
  // Nothing of it runs, so a stop that was asked for is done.
  if (task.status === 'stopping') return { task, event: 'finish_stopped' };
  if (task.fence >= maxClaims) {
    const reason = `could not be prepared: the runner was lost ${maxClaims} times`;
    return { task, event: 'finish_error', set: { reason } };
  }
  return { task, event: 'requeue' };
}

/** A started task whose runner is dead, or does not know it any more. */
export function loseStep(task: TaskRow, lastHeard: number | null): Step {
  const when = lastHeard === null ? '' : `, last heard of at ${new Date(lastHeard).toISOString()}`;
  return endStep(task, `runner lost${when}`);
}

/** A started task whose runner has been silent for longer than is waited. */
export function giveUpStep(task: TaskRow, lastHeard: number): Step {
  return endStep(task, explainDoubt('runner lost,', lastHeard));
}

function endStep(task: TaskRow, reason: string): Step {
  if (task.status === 'waiting_confirmation') {
    return { task, event: 'finish_error', set: { reason: 'the plan was lost with its runner' } };
  }
  // Whoever asked for a stop has it; that the runner was lost is said all the same.
  if (task.status === 'stopping' || task.status === 'rejected') {
    return { task, event: 'finish_stopped', set: { reason } };
  }
  return { task, event: 'finish_error', set: { reason } };
}

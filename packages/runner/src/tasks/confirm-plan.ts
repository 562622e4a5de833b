import type { Plan } from '@signalbox/contract/plan';
import type { TaskLog } from '../log/task-log.ts';
import { untilAborted } from '../pause.ts';
import type { Review } from '../tools/adapter.ts';
import type { Handover } from './handover.ts';

/** What a person says about a plan. */
export type Decision = 'confirm' | 'reject';

export type Confirmation = {
  readonly handover: Handover;
  readonly log: TaskLog;
  readonly decision: Promise<Decision>;
  /** Aborted when the task is stopped. */
  readonly signal: AbortSignal;
  /** A person is waited for, from the first call to the second one. */
  readonly onWaiting: (isWaiting: boolean) => void;
};

/**
 * Brings a plan to the server and waits until it may be carried out. The last word is always the server's, and it is stored
 * before it is said: a plan that is confirmed is applied once, by the runner that made it.
 *
 * @returns `done` when the plan was all that was asked for, `stop` when the task is to be stopped or is not this runner's any more
 */
export async function confirmPlan(
  { handover, log, decision, signal, onWaiting }: Confirmation,
  { isApproved, endsHere }: Review,
  plan: Plan,
): Promise<Decision | 'done' | 'stop'> {
  const { add, change, destroy } = plan;
  log.say(`Planned: ${add} to add, ${change} to change, ${destroy} to destroy`);
  const verdict = await untilAborted(handover.reportPlan(plan, isApproved || endsHere), signal);
  if (verdict === 'run') return endsHere ? 'done' : 'confirm';
  if (verdict !== 'wait') return 'stop';
  log.say('Waiting for this plan to be confirmed');
  onWaiting(true);
  const said = await untilAborted(decision, signal);
  onWaiting(false);
  if (said === 'reject') {
    log.say('The plan was rejected: nothing is changed');
    return 'reject';
  }
  return (await untilAborted(handover.askToResume(), signal)) === 'run' ? 'confirm' : 'stop';
}

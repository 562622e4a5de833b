import type { Hold } from '@signalbox/contract/runner-protocol';
import { isFinal } from '@signalbox/contract/task-state';
import type { TaskRow } from './task-record.ts';

export type HoldsReport = {
  readonly instance: string;
  readonly runnerId: number | null;
  readonly holds: readonly Hold[];
  /** Older processes of this runner that are proved dead: it has ended what they left running. */
  readonly dead: ReadonlySet<string>;
  /** Tasks whose job lies ready for this process and was in no answer yet. */
  readonly undelivered: ReadonlySet<number>;
};

export type Reconciliation = {
  /** Not started and in nobody's hands: they wait again. */
  readonly requeue: readonly TaskRow[];
  /** Started and in nobody's hands: they end. */
  readonly lose: readonly TaskRow[];
  /** The successor of the process that was given them carries them on. */
  readonly move: readonly TaskRow[];
  /** They were shown as unreachable, and are heard of again. */
  readonly reach: readonly TaskRow[];
  /** Holds that count no more. */
  readonly forget: readonly Hold[];
};

/** A task whose start was permitted: from then on it may have done something. */
export function wasStarted(task: Pick<TaskRow, 'start'>): boolean {
  return task.start !== null;
}

/** Whether a fence is the one under which a task is held now, by that runner. */
export function isHeldBy(
  task: Pick<TaskRow, 'fence' | 'claim_id' | 'runner_id'>,
  claim: { fence: number; claim_id: string },
  runnerId: number | null,
): boolean {
  return task.fence === claim.fence && task.claim_id === claim.claim_id && task.runner_id === runnerId;
}

/**
 * Compares what a runner says it has in hand with what is stored, both ways. Pure: it is asked once to see whether
 * something must change, and again on the locked rows to change it.
 *
 * @param tasks the tasks that it holds, and those that are stored as held by it or by its dead predecessors
 */
export function reconcileHolds(report: HoldsReport, tasks: ReadonlyMap<number, TaskRow>): Reconciliation {
  const move: TaskRow[] = [];
  const reach: TaskRow[] = [];
  const forget: Hold[] = [];
  const held = new Set<number>();
  for (const hold of report.holds) {
    const task = tasks.get(hold.task_id);
    const fate = judgeHold(report, hold, task);
    if (task === undefined || fate === 'forget') {
      forget.push(hold);
      continue;
    }
    held.add(task.id);
    if (fate === 'move') move.push(task);
    if (fate !== 'done' && task.unreachable_since !== null) reach.push(task);
  }
  const left = [...tasks.values()].filter((task) => !held.has(task.id) && !isFinal(task.status) && isOwn(report, task));
  return {
    requeue: left.filter((task) => !wasStarted(task)),
    lose: left.filter(wasStarted),
    move,
    reach,
    forget,
  };
}

export function isUnchanged({ requeue, lose, move, reach }: Reconciliation): boolean {
  return requeue.length + lose.length + move.length + reach.length === 0;
}

type Fate = 'keep' | 'move' | 'done' | 'forget';

function judgeHold(report: HoldsReport, hold: Hold, task: TaskRow | undefined): Fate {
  if (task === undefined || !isHeldBy(task, hold, report.runnerId)) return 'forget';
  // It waits for the answer to its last report, which says that all is done.
  if (isFinal(task.status)) return hold.phase === 'ended' ? 'done' : 'forget';
  if (task.instance === report.instance) return 'keep';
  // A predecessor that was not permitted to start has done nothing: the task is run from the beginning, by whoever.
  return wasStarted(task) ? 'move' : 'forget';
}

/** Stored as held by this process, and handed over to it; or left behind by a dead one. */
function isOwn(report: HoldsReport, task: TaskRow): boolean {
  if (task.instance === null) return false;
  if (report.dead.has(task.instance)) return true;
  return task.instance === report.instance && !report.undelivered.has(task.id);
}

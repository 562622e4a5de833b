import type { Report, ReportAnswer } from '@signalbox/contract/runner-protocol';
import { isFinal, type TaskEvent } from '@signalbox/contract/task-state';
import { isHeldBy } from './reconcile-holds.ts';
import type { TaskRow } from './task-record.ts';
import type { Step } from './task-steps.ts';

export type Judgement = {
  readonly answer: ReportAnswer;
  readonly step?: Step;
  /** A plan that changes no state, because it was approved beforehand. */
  readonly plan?: { readonly task: TaskRow; readonly json: string };
};

export type JudgedTimes = {
  readonly now: number;
  /** Until when a plan waits for a person. */
  readonly confirmBy: number;
};

const maxSubject = 100;
const maxReason = 1000;

/**
 * What a report of a runner means for its task. The log of a finished task must have been sealed before.
 * Repeating a report changes nothing and brings the same answer.
 */
export function judgeReport(
  report: Report,
  task: TaskRow | undefined,
  runnerId: number | null,
  times: JudgedTimes,
): Judgement {
  if (task === undefined || !isHeldBy(task, report, runnerId)) return answer(report, 'forget');
  switch (report.kind) {
    case 'start':
      return judgeStart(report, task, times.now);
    case 'plan':
      return judgePlan(report, task, times.confirmBy);
    case 'resume':
      return judgeResume(report, task);
    case 'finish':
      return judgeFinish(report, task);
  }
}

function answer(report: Report, verdict: 'run' | 'wait' | 'stop' | 'done' | 'forget', step?: Step): Judgement {
  const told = { verdict, task_id: report.task_id };
  return step === undefined ? { answer: told } : { answer: told, step };
}

type StartReport = Extract<Report, { kind: 'start' }>;
type PlanReport = Extract<Report, { kind: 'plan' }>;
type FinishReport = Extract<Report, { kind: 'finish' }>;

function judgeStart(report: StartReport, task: TaskRow, now: number): Judgement {
  switch (task.status) {
    case 'starting':
      return answer(report, 'run', {
        task,
        event: 'start',
        set: {
          start: now,
          commit_hash: /^[0-9a-f]{7,64}$/.test(report.commit_hash ?? '') ? report.commit_hash : null,
          commit_message: clean(report.commit_message, maxSubject),
        },
      });
    case 'running':
      // The answer was lost. The runner asks before it spawns, so it has not spawned.
      return answer(report, 'run');
    case 'stopping':
      return answer(report, 'stop');
    default:
      return answer(report, 'forget');
  }
}

function judgePlan(report: PlanReport, task: TaskRow, confirmBy: number): Judgement {
  const json = JSON.stringify(report.plan);
  switch (task.status) {
    case 'running':
      if (report.approved) return { ...answer(report, 'run'), plan: { task, json } };
      return answer(report, 'wait', { task, event: 'ask_confirmation', set: { plan: json, expires: confirmBy } });
    case 'waiting_confirmation':
    case 'confirmed':
    case 'rejected':
      // The answer was lost. What has been decided meanwhile comes by command.
      return answer(report, 'wait');
    case 'stopping':
      return answer(report, 'stop');
    default:
      return answer(report, 'forget');
  }
}

/** A plan is carried out only after the state says so, durably: what was confirmed once is applied once. */
function judgeResume(report: Report, task: TaskRow): Judgement {
  switch (task.status) {
    case 'confirmed':
      return answer(report, 'run', { task, event: 'resume' });
    case 'running':
      return answer(report, 'run');
    case 'stopping':
      return answer(report, 'stop');
    default:
      return answer(report, 'forget');
  }
}

function judgeFinish(report: FinishReport, task: TaskRow): Judgement {
  if (isFinal(task.status)) return answer(report, 'done');
  const { event, reason } = readOutcome(report, task);
  return answer(report, 'done', { task, event, set: { reason } });
}

function readOutcome(report: FinishReport, task: TaskRow): { event: TaskEvent; reason: string } {
  const { outcome } = report;
  const reason = clean(report.reason, maxReason);
  switch (task.status) {
    // A stop was asked for: what the tool made of it does not matter any more.
    case 'stopping':
    case 'rejected':
      // Why it was to stop, where that was known before, says more than that it did.
      return { event: 'finish_stopped', reason: task.reason || (outcome === 'success' ? '' : reason) };
    case 'starting':
      return {
        event: 'finish_error',
        reason: outcome === 'error' ? reason : 'Its runner reported an end without a start',
      };
    case 'running':
      if (outcome === 'success') return { event: 'finish_success', reason: '' };
      return { event: 'finish_error', reason: reason || 'Its runner stopped it' };
    default:
      return { event: 'finish_error', reason: reason || 'Its runner ended it while it waited for a confirmation' };
  }
}

/** Text of a program as every database keeps it: without NUL, in whole characters, not too long. */
function clean(text: string, most: number): string {
  return [...text.slice(0, 2 * most).replaceAll('\0', '')].slice(0, most).join('').toWellFormed();
}

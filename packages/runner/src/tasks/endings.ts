import type { Ending } from '../journal/journal.ts';
import { TaskFailure } from '../task-failure.ts';
import type { Step } from '../tools/adapter.ts';
import type { StepEnd } from './run-step.ts';

/** What a tool of ours said may be as long as a repository makes it. */
const longestReason = 1000;

/** Why a task is stopped before its own end. */
export type StopReason = 'stop' | 'force' | 'timeout' | 'shutdown' | 'shutdown_now' | 'forgotten';

export function isHard(reason: StopReason): boolean {
  return reason === 'force' || reason === 'shutdown_now' || reason === 'forgotten';
}

export function describeStop(reason: StopReason): string {
  switch (reason) {
    case 'stop':
      return 'Stopping, as was asked for';
    case 'force':
      return 'Ending everything at once, as was asked for';
    case 'timeout':
      return 'Stopping, because the task has taken longer than it may';
    case 'shutdown':
    case 'shutdown_now':
      return 'Stopping, because the runner is shut down';
    case 'forgotten':
      return 'Stopping, because the server has given this task up';
  }
}

/** @param timeout the task's limit in seconds */
export function endAs(reason: StopReason, timeout: number, exitCode: number | null): Ending {
  const rest = { exit_code: exitCode, strays: 0 };
  switch (reason) {
    case 'stop':
    case 'forgotten':
      return { outcome: 'stopped', reason: 'The task was stopped', ...rest };
    case 'force':
      return { outcome: 'stopped', reason: 'The task was stopped by force', ...rest };
    case 'timeout':
      return { outcome: 'error', reason: `The task took longer than ${timeout} s and was stopped`, ...rest };
    case 'shutdown':
    case 'shutdown_now':
      return { outcome: 'error', reason: 'The runner was shut down while the task ran', ...rest };
  }
}

export function succeed(exitCode: number | null): Ending {
  return { outcome: 'success', reason: '', exit_code: exitCode, strays: 0 };
}

export const rejectedEnding: Ending = {
  outcome: 'stopped',
  reason: 'The plan was rejected',
  exit_code: null,
  strays: 0,
};

/** null when the step went well. */
export function explainExit({ file, accepts }: Pick<Step, 'file' | 'accepts'>, end: StepEnd): Ending | null {
  if (end.exitCode !== null && accepts.includes(end.exitCode)) return null;
  const name = file.slice(file.lastIndexOf('/') + 1);
  const how = end.signal === null ? `ended with exit code ${end.exitCode}` : `was ended by signal ${end.signal}`;
  return { outcome: 'error', reason: `${name} ${how}`, exit_code: end.exitCode, strays: 0 };
}

export function explainFailure(error: unknown): Ending {
  const message = error instanceof Error ? error.message : String(error);
  const reason = /ENOSPC|No space left on device/i.test(message)
    ? `The disk of the runner is full: ${message}`
    : error instanceof TaskFailure
      ? message
      : `The runner could not run the task: ${message}`;
  return { outcome: 'error', reason: reason.slice(0, longestReason), exit_code: null, strays: 0 };
}

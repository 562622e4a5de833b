import type { Report } from '@signalbox/contract/runner-protocol';
import type { TaskStatus } from '@signalbox/contract/task-state';
import { describe, expect, test } from 'vitest';
import { judgeReport } from './judge-report.ts';
import type { TaskRow } from './task-record.ts';

const times = { now: 1000, confirmBy: 9000 };
const claim = { task_id: 7, fence: 2, claim_id: 'claim' };
const finish = { kind: 'finish', ...claim, exit_code: 0, strays: 0, seal: { lines: 0, bytes: 0, crc: 0 } } as const;
const start: Report = { kind: 'start', ...claim, commit_hash: 'a'.repeat(40), commit_message: 'Subject' };

/** Only what a judgement looks at. */
function aTask(status: TaskStatus, change: Partial<TaskRow> = {}): TaskRow {
  return { id: 7, status, fence: 2, claim_id: 'claim', runner_id: 3, start: null, reason: '', ...change } as TaskRow;
}
function judge(report: Report, task: TaskRow | undefined) {
  const { answer, step } = judgeReport(report, task, 3, times);
  return [answer.verdict, step?.event, step?.set?.reason];
}
const end = (outcome: 'success' | 'error' | 'stopped', reason = ''): Report => ({ ...finish, outcome, reason });

describe('a start', () => {
  const cases: [TaskStatus, string, string | undefined][] = [
    ['waiting', 'forget', undefined],
    ['starting', 'run', 'start'],
    ['running', 'run', undefined],
    ['stopping', 'stop', undefined],
    ['waiting_confirmation', 'forget', undefined],
    ['confirmed', 'forget', undefined],
    ['success', 'forget', undefined],
    ['stopped', 'forget', undefined],
  ];
  test.each(cases)('of a task that is %s is answered with %s', (status, verdict, event) => {
    expect(judge(start, aTask(status)).slice(0, 2)).toEqual([verdict, event]);
  });

  test('stores the commit as a commit, and the subject as a text', () => {
    const odd = { ...start, commit_hash: '$(rm)', commit_message: `x\0${'y'.repeat(500)}\ud800` };
    const { step } = judgeReport(odd, aTask('starting'), 3, times);
    expect(step?.set).toMatchObject({ start: 1000, commit_hash: null, commit_message: `x${'y'.repeat(99)}` });
  });
});

const plan = { add: 1, change: 0, destroy: 0, changes: [{ address: 'a.b', action: 'create' as const }] };

describe('a plan', () => {
  const cases: [TaskStatus, string, string | undefined][] = [
    ['starting', 'forget', undefined],
    ['running', 'wait', 'ask_confirmation'],
    ['waiting_confirmation', 'wait', undefined],
    ['confirmed', 'wait', undefined],
    ['rejected', 'wait', undefined],
    ['stopping', 'stop', undefined],
    ['success', 'forget', undefined],
  ];
  test.each(cases)('of a task that is %s is answered with %s', (status, verdict, event) => {
    const report: Report = { kind: 'plan', ...claim, plan, approved: false };
    expect(judge(report, aTask(status)).slice(0, 2)).toEqual([verdict, event]);
  });

  test('is stored with the time until which it waits', () => {
    const report: Report = { kind: 'plan', ...claim, plan, approved: false };
    const { step } = judgeReport(report, aTask('running'), 3, times);
    expect(step?.set).toEqual({ plan: JSON.stringify(plan), expires: 9000 });
  });

  test('that was approved beforehand goes on at once, and is stored all the same', () => {
    const task = aTask('running');
    const judged = judgeReport({ kind: 'plan', ...claim, plan, approved: true }, task, 3, times);
    expect(judged).toMatchObject({ answer: { verdict: 'run' }, plan: { task, json: JSON.stringify(plan) } });
    expect(judged.step).toBeUndefined();
  });
});

describe('a request to go on', () => {
  const cases: [TaskStatus, string, string | undefined][] = [
    ['confirmed', 'run', 'resume'],
    ['running', 'run', undefined],
    ['stopping', 'stop', undefined],
    ['waiting_confirmation', 'forget', undefined],
    ['rejected', 'forget', undefined],
    ['error', 'forget', undefined],
  ];
  test.each(cases)('of a task that is %s is answered with %s', (status, verdict, event) => {
    expect(judge({ kind: 'resume', ...claim }, aTask(status)).slice(0, 2)).toEqual([verdict, event]);
  });
});

describe('an end', () => {
  const cases: [TaskStatus, Report, [string, string | undefined, string | undefined]][] = [
    ['running', end('success'), ['done', 'finish_success', '']],
    ['running', end('error', 'exit code 2'), ['done', 'finish_error', 'exit code 2']],
    ['running', end('stopped'), ['done', 'finish_error', 'Its runner stopped it']],
    ['starting', end('error', 'no such branch'), ['done', 'finish_error', 'no such branch']],
    ['starting', end('success'), ['done', 'finish_error', 'Its runner reported an end without a start']],
    ['stopping', end('stopped'), ['done', 'finish_stopped', '']],
    ['stopping', end('success'), ['done', 'finish_stopped', '']],
    ['stopping', end('error', 'runner lost'), ['done', 'finish_stopped', 'runner lost']],
    ['rejected', end('stopped'), ['done', 'finish_stopped', '']],
    ['success', end('error', 'late'), ['done', undefined, undefined]],
    ['waiting', end('error', 'late'), ['forget', undefined, undefined]],
  ];
  test.each(cases)('of a task that is %s: %j', (status, report, expected) => {
    const held = status === 'waiting' ? { claim_id: null } : {};
    expect(judge(report, aTask(status, held))).toEqual(expected);
  });
});

test.each([
  ['an older fence', { fence: 3 }],
  ['another claim', { claim_id: 'other' }],
  ['another runner', { runner_id: 4 }],
])('a report under %s is told to forget', (_name, change) => {
  expect(judge(start, aTask('starting', change))).toEqual(['forget', undefined, undefined]);
  expect(judge(end('success'), aTask('running', change))).toEqual(['forget', undefined, undefined]);
});

test('a report of a task that is not there is told to forget', () => {
  expect(judge(start, undefined)[0]).toBe('forget');
});

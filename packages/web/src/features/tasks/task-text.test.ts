import type { TaskItem } from '@signalbox/contract/tasks';
import type { SurveyVariable } from '@signalbox/contract/templates';
import { describe, expect, it } from 'vitest';
import { describeStarter } from '../../lib/describe-starter.ts';
import { describeRunner, listParameters, shortenCommit, shortenMessage } from './task-text.ts';

function makeTask(change: Partial<TaskItem> = {}): TaskItem {
  return {
    params: {},
    environment: '{}',
    arguments: null,
    user_id: null,
    user_name: null,
    schedule_id: null,
    integration_id: null,
    runner_id: null,
    status: 'running',
    start: '2026-11-21T12:00:00.000Z',
    ...change,
  } as TaskItem;
}

describe('a commit', () => {
  it('shows 10 characters of its hash and 50 of the first line of its message', () => {
    expect(shortenCommit('8f2c1d0a4e77aa01bb02')).toBe('8f2c1d0a4e');
    expect(shortenMessage('x'.repeat(60))).toBe(`${'x'.repeat(50)}…`);
    expect(shortenMessage('Fix it\n\nBecause')).toBe('Fix it');
  });
});

describe('who started a task', () => {
  it.each<[Partial<TaskItem>, string]>([
    [{ user_id: 1, user_name: 'Demo admin' }, 'Demo admin'],
    [{ schedule_id: 3 }, 'Schedule'],
    [{ integration_id: 3 }, 'Integration'],
    [{}, 'Autorun'],
    [{ user_id: 1 }, 'A former user'],
  ])('%j is %s', (change, expected) => {
    expect(describeStarter(makeTask(change))).toBe(expected);
  });
});

describe('where a task runs', () => {
  it.each<[Partial<TaskItem>, string | null]>([
    [{}, 'Local Running'],
    [{ runner_id: 7 }, 'Runner #7'],
    [{ status: 'waiting', start: null }, null],
  ])('%j is %s', (change, expected) => {
    expect(describeRunner(makeTask(change))).toBe(expected);
  });
});

describe('the parameters of a task', () => {
  const token: SurveyVariable = {
    name: 'token',
    title: 'Token',
    description: '',
    type: 'secret',
    required: true,
    values: [],
  };

  it('are its lists, switches, arguments and answers', () => {
    const task = makeTask({
      params: { limit: ['web-*', 'db'], diff: true, dry_run: false },
      arguments: '["-e","x=1"]',
      environment: '{"version":"1.27.3","count":4}',
    });
    expect(listParameters(task, []).map(({ name, value }) => [name, value])).toEqual([
      ['Limit', 'web-*, db'],
      ['Diff', 'on'],
      ['Arguments', '-e x=1'],
      ['version', '1.27.3'],
      ['count', '4'],
    ]);
  });

  it('name a secret answer and never show one', () => {
    expect(listParameters(makeTask(), [token])).toEqual([{ name: 'token', value: 'secret', isSecret: true }]);
  });

  it('survive values that are no JSON', () => {
    expect(listParameters(makeTask({ environment: '{', arguments: 'x' }), [])).toEqual([]);
  });
});

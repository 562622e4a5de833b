import { type TaskStatus, taskStatuses } from '@signalbox/contract/task-state';
import { expect, test } from 'vitest';
import { nameStatus } from './status-badge.tsx';

test('every status of a task has its word', () => {
  expect(Object.fromEntries(taskStatuses.map((status) => [status, nameStatus(status)]))).toEqual({
    waiting: 'Waiting',
    starting: 'Starting...',
    waiting_confirmation: 'Waiting confirmation',
    confirmed: 'Confirmed',
    rejected: 'Rejected',
    running: 'Running',
    success: 'Success',
    error: 'Failed',
    stopping: 'Stopping...',
    stopped: 'Stopped',
  });
});

test('a status that nobody knows is an error, and not shown as another one', () => {
  expect(() => nameStatus('asleep' as TaskStatus)).toThrow();
});

import { describe, expect, it } from 'vitest';
import {
  canTake,
  finalStatuses,
  IllegalStep,
  isFinal,
  nextStatus,
  statusesBefore,
  stoppableStatuses,
  type TaskEvent,
  type TaskStatus,
  taskEvents,
  taskStatuses,
} from './task-state.ts';

/** Written by hand from the design: every legal step. What is not here must be refused. */
const legal: [TaskStatus, TaskEvent, TaskStatus][] = [
  ['waiting', 'claim', 'starting'],
  ['waiting', 'stop', 'stopped'],
  ['waiting', 'finish_stopped', 'stopped'],
  ['waiting', 'finish_error', 'error'],
  ['starting', 'requeue', 'waiting'],
  ['starting', 'start', 'running'],
  ['starting', 'stop', 'stopping'],
  ['starting', 'finish_error', 'error'],
  ['running', 'ask_confirmation', 'waiting_confirmation'],
  ['running', 'stop', 'stopping'],
  ['running', 'finish_success', 'success'],
  ['running', 'finish_error', 'error'],
  ['waiting_confirmation', 'confirm', 'confirmed'],
  ['waiting_confirmation', 'reject', 'rejected'],
  ['waiting_confirmation', 'stop', 'stopping'],
  ['waiting_confirmation', 'finish_error', 'error'],
  ['confirmed', 'resume', 'running'],
  ['confirmed', 'stop', 'stopping'],
  ['confirmed', 'finish_error', 'error'],
  ['rejected', 'stop', 'stopping'],
  ['rejected', 'finish_stopped', 'stopped'],
  ['rejected', 'finish_error', 'error'],
  ['stopping', 'stop', 'stopping'],
  ['stopping', 'finish_stopped', 'stopped'],
  ['stopping', 'finish_error', 'error'],
];

describe('the task state machine', () => {
  for (const status of taskStatuses) {
    for (const event of taskEvents) {
      const step = legal.find(([from, name]) => from === status && name === event);
      if (step) {
        it(`takes ${status} by ${event} to ${step[2]}`, () => {
          expect(nextStatus(status, event)).toBe(step[2]);
          expect(canTake(status, event)).toBe(true);
        });
      } else {
        it(`refuses ${event} while ${status}`, () => {
          expect(() => nextStatus(status, event)).toThrow(IllegalStep);
          expect(canTake(status, event)).toBe(false);
        });
      }
    }
  }

  it('has no way out of a final status', () => {
    for (const status of finalStatuses) {
      expect(isFinal(status)).toBe(true);
      expect(taskEvents.filter((event) => canTake(status, event))).toEqual([]);
    }
  });

  it('lets every status that is not final end in error and be stopped', () => {
    const open = taskStatuses.filter((status) => !isFinal(status));
    expect(statusesBefore('finish_error')).toEqual(open);
    expect(statusesBefore('stop').toSorted()).toEqual([...stoppableStatuses].toSorted());
    expect(statusesBefore('stop')).toEqual(open);
  });

  it('reaches running only through a start or a confirmation', () => {
    expect(legal.filter(([, , to]) => to === 'running').map(([, event]) => event)).toEqual(['start', 'resume']);
  });
});

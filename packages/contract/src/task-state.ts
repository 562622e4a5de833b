import * as z from 'zod/mini';

/**
 * The life of a task. One pure function decides every step; the server applies it by compare-and-set on the stored
 * status, so two writers can never both move a task.
 *
 *     waiting -> starting -> running -> success | error
 *                               |  ^
 *                               v  |
 *               waiting_confirmation -> confirmed -> running
 *                               |
 *                               +-> rejected -> stopped
 *
 * From any non-final state: error, and stopping -> stopped (a waiting task stops at once, since nothing runs).
 * starting goes back to waiting only when its runner was lost before the tool started.
 * success, error and stopped are final.
 */
export const taskStatuses = [
  'waiting',
  'starting',
  'running',
  'waiting_confirmation',
  'confirmed',
  'rejected',
  'stopping',
  'success',
  'error',
  'stopped',
] as const;
export const TaskStatus = z.enum(taskStatuses);
export type TaskStatus = z.infer<typeof TaskStatus>;

export const finalStatuses = ['success', 'error', 'stopped'] as const satisfies readonly TaskStatus[];
export type FinalStatus = (typeof finalStatuses)[number];

/** Statuses in which the task's runner holds a slot. A task that waits for a person holds none. */
export const slotStatuses = [
  'starting',
  'running',
  'confirmed',
  'rejected',
  'stopping',
] as const satisfies readonly TaskStatus[];
/** Statuses that keep a template from starting its next task. */
export const busyStatuses = [...slotStatuses, 'waiting_confirmation'] as const satisfies readonly TaskStatus[];
/** Statuses in which the console offers Stop. */
export const stoppableStatuses = ['waiting', ...busyStatuses] as const satisfies readonly TaskStatus[];

export const taskEvents = [
  'claim', // a runner took it
  'requeue', // its runner was lost before the tool started
  'start', // permission to start the tool, committed before the tool's first process
  'ask_confirmation',
  'confirm',
  'reject',
  'resume', // the runner goes on after a confirmation
  'stop', // a person asked for it
  'finish_success',
  'finish_error',
  'finish_stopped',
] as const;
export type TaskEvent = (typeof taskEvents)[number];

const steps: Record<TaskStatus, Partial<Record<TaskEvent, TaskStatus>>> = {
  waiting: { claim: 'starting', stop: 'stopped', finish_error: 'error', finish_stopped: 'stopped' },
  starting: { requeue: 'waiting', start: 'running', stop: 'stopping', finish_error: 'error' },
  running: {
    ask_confirmation: 'waiting_confirmation',
    stop: 'stopping',
    finish_success: 'success',
    finish_error: 'error',
  },
  waiting_confirmation: { confirm: 'confirmed', reject: 'rejected', stop: 'stopping', finish_error: 'error' },
  confirmed: { resume: 'running', stop: 'stopping', finish_error: 'error' },
  rejected: { stop: 'stopping', finish_stopped: 'stopped', finish_error: 'error' },
  // A second stop is a force: it changes the request, not the state. What the tool's own end was does not matter any more.
  stopping: { stop: 'stopping', finish_stopped: 'stopped', finish_error: 'error' },
  success: {},
  error: {},
  stopped: {},
};

export class IllegalStep extends Error {
  readonly status: TaskStatus;
  readonly event: TaskEvent;

  constructor(status: TaskStatus, event: TaskEvent) {
    super(`A task that is ${status} cannot take the step ${event}`);
    this.status = status;
    this.event = event;
  }
}

/** The status after the event. @throws IllegalStep where the machine has no such step. */
export function nextStatus(status: TaskStatus, event: TaskEvent): TaskStatus {
  const next = steps[status][event];
  if (next === undefined) throw new IllegalStep(status, event);
  return next;
}

export function canTake(status: TaskStatus, event: TaskEvent): boolean {
  return steps[status][event] !== undefined;
}

/** All statuses from which the event is legal: the `where status in` of a compare-and-set. */
export function statusesBefore(event: TaskEvent): TaskStatus[] {
  return taskStatuses.filter((status) => canTake(status, event));
}

export function isFinal(status: TaskStatus): status is FinalStatus {
  return (finalStatuses as readonly TaskStatus[]).includes(status);
}

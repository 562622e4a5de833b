import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TaskClock } from './task-clock.ts';

const day = 86_400;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function startClock(seconds: number): { clock: TaskClock; onEnd: ReturnType<typeof vi.fn> } {
  const onEnd = vi.fn();
  const clock = new TaskClock(seconds, () => onEnd());
  clock.go();
  return { clock, onEnd };
}

it('ends a task after its time, also one that is longer than a timer can be', () => {
  for (const seconds of [1, 10 * day, 30 * day, 365 * day]) {
    const { onEnd } = startClock(seconds);
    vi.advanceTimersByTime((seconds - 0.5) * 1000);
    expect([seconds, onEnd.mock.calls.length]).toEqual([seconds, 0]);
    vi.advanceTimersByTime(1000);
    expect([seconds, onEnd.mock.calls.length]).toEqual([seconds, 1]);
  }
});

it('stands still while a person is waited for, and goes on with what is left', () => {
  const { clock, onEnd } = startClock(10);
  vi.advanceTimersByTime(6000);
  clock.stop();
  vi.advanceTimersByTime(3_600_000);
  clock.go();
  vi.advanceTimersByTime(3900);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

it('never ends a task without a limit', () => {
  const { onEnd } = startClock(0);
  vi.advanceTimersByTime(1000 * day * 1000);
  expect(onEnd).not.toHaveBeenCalled();
});

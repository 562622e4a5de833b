import { performance } from 'node:perf_hooks';

/** Of the time between two looks. */
const idleShare = 0.02;

/**
 * Gives memory back once there is nothing to do. V8 looks for garbage when it needs room, so that a server keeps what its start, or
 * a burst of requests, has taken for as long as it rests. Does nothing without `--expose-gc`.
 */
export function giveMemoryBackWhenIdle(everyMs = 5000): void {
  const collect = globalThis.gc;
  if (collect === undefined) return;
  let last = performance.eventLoopUtilization();
  let wasBusy = true;
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, last).utilization > idleShare;
    last = now;
    if (wasBusy && !isBusy) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    wasBusy = isBusy;
  };
  setInterval(look, everyMs).unref();
}

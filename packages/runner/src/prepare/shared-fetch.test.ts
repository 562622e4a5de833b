import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SharedFetch } from './shared-fetch.ts';

const never = new AbortController().signal;

/** Fetches that end when the test says so. */
function makeFetches(): { fetch: SharedFetch; runs: PromiseWithResolvers<void>[]; signals: AbortSignal[] } {
  const runs: PromiseWithResolvers<void>[] = [];
  const signals: AbortSignal[] = [];
  const fetch = new SharedFetch((signal) => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    signals.push(signal);
    return run.promise;
  });
  return { fetch, runs, signals };
}

it('serves a task by a fetch that began after it was created, without another one', async () => {
  const { fetch, runs } = makeFetches();
  const before = Date.now();
  const first = fetch.serve(before, never);
  runs[0]?.resolve();
  expect(await first).toBe('own');
  expect(await fetch.serve(before, never)).toBe('earlier');
  expect(runs.length).toBe(1);
});

it('lets all who come while a fetch runs that began too early share the one after it', async () => {
  const { fetch, runs } = makeFetches();
  const first = fetch.serve(Date.now(), never);
  await sleep(5);
  const later = Date.now();
  const others = [fetch.serve(later, never), fetch.serve(later, never), fetch.serve(later, never)];
  expect(runs.length).toBe(1);
  runs[0]?.resolve();
  await first;
  await sleep(1);
  expect(runs.length).toBe(2);
  runs[1]?.resolve();
  expect((await Promise.all(others)).sort()).toEqual(['own', 'shared', 'shared']);
  expect(runs.length).toBe(2);
});

it('tells a failure to all who wait, and tries again for the next', async () => {
  const { fetch, runs } = makeFetches();
  const created = Date.now();
  const both = [fetch.serve(created, never), fetch.serve(created, never)];
  runs[0]?.reject(new Error('no route'));
  await expect(both[0]).rejects.toThrow('no route');
  await expect(both[1]).rejects.toThrow('no route');
  const next = fetch.serve(created, never);
  runs[1]?.resolve();
  expect(await next).toBe('own');
});

it('goes on while one of its tasks waits, and is aborted when the last one is stopped', async () => {
  const { fetch, signals } = makeFetches();
  const created = Date.now();
  const [one, two] = [new AbortController(), new AbortController()];
  const waits = [fetch.serve(created, one.signal), fetch.serve(created, two.signal)];
  one.abort(new Error('stopped'));
  await expect(waits[0]).rejects.toThrow('stopped');
  expect(signals[0]?.aborted).toBe(false);
  two.abort(new Error('stopped'));
  await expect(waits[1]).rejects.toThrow('stopped');
  expect(signals[0]?.aborted).toBe(true);
});

it('does not let a task join a fetch that was aborted and has not ended yet', async () => {
  const { fetch, runs, signals } = makeFetches();
  const created = Date.now();
  const stop = new AbortController();
  const first = fetch.serve(created, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  expect(signals[0]?.aborted).toBe(true);
  const second = fetch.serve(created, never);
  runs[0]?.reject(new Error('killed'));
  await sleep(1);
  runs[1]?.resolve();
  expect(await second).toBe('own');
});

import type { LiveLine } from '@signalbox/contract/live';
import type { LogRange } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogFollower } from '../../lib/socket.ts';
import { LogSource } from './log-source.ts';

const time = '2026-11-21T12:00:00.000Z';

/** A log on a server: it grows, it is read by ranges, and one reader follows it. */
class RemoteLog {
  readonly lines: LiveLine[] = [];
  readonly asked: { from: number; count: number }[] = [];
  sealed = false;
  failing = false;
  /** Answers wait for `answer()` when set. */
  held: (() => void)[] | undefined;
  #follow: { next: number; follower: LogFollower } | undefined;

  get isFollowed(): boolean {
    return this.#follow !== undefined;
  }

  write(count: number): void {
    for (let line = 0; line < count; line += 1) {
      const number = this.lines.length + 1;
      this.lines.push({ line: number, time, output: `line ${number}` });
    }
  }

  /** Sends what the follower does not have yet. */
  push(): void {
    const follow = this.#follow;
    if (follow === undefined || follow.next > this.lines.length) return;
    const lines = this.lines.slice(follow.next - 1);
    const first = follow.next;
    follow.next = this.lines.length + 1;
    follow.follower.onLines({ type: 'lines', task_id: 1, first, next: follow.next, lines });
  }

  fallBehind(): void {
    const follow = this.#follow;
    this.#follow = undefined;
    follow?.follower.onBehind(follow.next);
  }

  seal(): void {
    this.sealed = true;
    this.push();
    this.#follow?.follower.onSealed(this.lines.length);
  }

  readonly ports = {
    fetchRange: (from: number, count: number, signal: AbortSignal): Promise<LogRange> => {
      this.asked.push({ from, count });
      return new Promise((resolve, reject) => {
        const settle = () => {
          if (signal.aborted) reject(new Error('aborted'));
          else if (this.failing) reject(new Error('The server cannot be reached.'));
          else resolve(this.#read(from, count));
        };
        if (this.held === undefined) settle();
        else this.held.push(settle);
      });
    },
    follow: (from: number, follower: LogFollower) => {
      const follow = { next: from, follower };
      this.#follow = follow;
      // What was written between the range and the subscription comes first, as the protocol says.
      this.push();
      return () => {
        if (this.#follow === follow) this.#follow = undefined;
      };
    },
  };

  #read(from: number, count: number): LogRange {
    const lines = this.lines.slice(from - 1, from - 1 + count);
    return { first: from, next: from + lines.length, total: this.lines.length, sealed: this.sealed, lines };
  }
}

function openSource(remote: RemoteLog): LogSource {
  const source = new LogSource(remote.ports);
  source.start();
  return source;
}

function readTexts(source: LogSource, from: number, to: number): (string | undefined)[] {
  return Array.from({ length: to - from + 1 }, (_, index) => source.store.get(from + index)?.output);
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Lets promises settle and timers up to `ms` fire. */
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe('opening', () => {
  it('a finished log fetches its first page and follows nothing', async () => {
    const remote = new RemoteLog();
    remote.write(100_000);
    remote.sealed = true;
    const source = openSource(remote);
    await settle();
    expect([source.isOpen, source.store.total, remote.isFollowed]).toEqual([true, 100_000, false]);
    expect(remote.asked).toEqual([{ from: 1, count: 500 }]);
    source.stop();
  });

  it('a long log in the middle fetches that part and nothing between', async () => {
    const remote = new RemoteLog();
    remote.write(1_000_000);
    remote.sealed = true;
    const source = openSource(remote);
    await settle();
    source.want(700_000, 700_040);
    await settle();
    expect(source.store.get(700_020)?.output).toBe('line 700020');
    expect(remote.asked.slice(1).reduce((sum, range) => sum + range.count, 0)).toBeLessThanOrEqual(2000);
    source.stop();
  });

  it('a log that is not there yet follows from its first line', async () => {
    const remote = new RemoteLog();
    const source = openSource(remote);
    await settle();
    expect([source.isOpen, source.store.total]).toEqual([true, 0]);
    remote.write(3);
    remote.push();
    expect(readTexts(source, 1, 3)).toEqual(['line 1', 'line 2', 'line 3']);
    source.stop();
  });

  it('tries again by itself after a failure', async () => {
    const remote = new RemoteLog();
    remote.write(5);
    remote.failing = true;
    const source = openSource(remote);
    await settle();
    expect(source.failure).toBeInstanceOf(Error);
    remote.failing = false;
    await settle(2000);
    expect([source.isOpen, source.failure]).toEqual([true, undefined]);
    source.stop();
  });
});

describe('a running log', () => {
  it('shows live lines at once, and then at most every 100 ms', async () => {
    const remote = new RemoteLog();
    const source = openSource(remote);
    await settle(1000);
    const start = source.revision;
    for (let step = 0; step < 50; step += 1) {
      remote.write(1);
      remote.push();
      await settle(10);
    }
    await settle(100);
    const redraws = source.revision - start;
    expect(redraws).toBeGreaterThanOrEqual(5);
    expect(redraws).toBeLessThanOrEqual(7);
    expect(source.store.total).toBe(50);
    source.stop();
  });

  it('that outruns the reader is followed again from its end, and the rest is fetched where it is looked at', async () => {
    const remote = new RemoteLog();
    remote.write(10);
    const source = openSource(remote);
    await settle();
    source.want(1, 10);
    remote.write(50_000);
    remote.fallBehind();
    await settle(250);
    expect([source.store.total, remote.isFollowed]).toEqual([50_010, true]);
    remote.write(5);
    remote.push();
    source.want(50_000, 50_015);
    await settle();
    expect(readTexts(source, 50_000, 50_015)).toEqual(
      Array.from({ length: 16 }, (_, index) => `line ${50_000 + index}`),
    );
    expect(source.store.get(25_000)).toBeUndefined();
    source.stop();
  });

  it('goes on following after a failure in catching up', async () => {
    const remote = new RemoteLog();
    const source = openSource(remote);
    await settle();
    remote.write(10);
    remote.failing = true;
    remote.fallBehind();
    await settle(300);
    remote.failing = false;
    await settle(3000);
    expect([source.store.total, source.failure]).toEqual([10, undefined]);
    source.stop();
  });

  it('ends with its seal', async () => {
    const remote = new RemoteLog();
    const source = openSource(remote);
    await settle();
    remote.write(7);
    remote.seal();
    expect([source.store.total, source.store.sealed, remote.isFollowed]).toEqual([7, true, false]);
    source.stop();
  });
});

describe('the end of a task', () => {
  it('seals the log also when the connection missed it', async () => {
    const remote = new RemoteLog();
    const source = openSource(remote);
    await settle();
    remote.write(9);
    remote.sealed = true;
    source.finish();
    await settle(300);
    expect([source.store.total, source.store.sealed, remote.isFollowed]).toEqual([9, true, false]);
    source.stop();
  });
});

describe('requests', () => {
  it('for lines that were scrolled past are given up', async () => {
    const remote = new RemoteLog();
    remote.write(1_000_000);
    remote.sealed = true;
    const source = openSource(remote);
    await settle();
    remote.held = [];
    for (let line = 100_000; line < 900_000; line += 50_000) source.want(line, line + 40);
    const held = remote.held;
    remote.held = undefined;
    for (const answer of held) answer();
    await settle();
    expect(source.store.get(850_020)?.output).toBe('line 850020');
    expect(source.store.get(200_020)).toBeUndefined();
    expect(source.failure).toBeUndefined();
    source.stop();
  });

  it('are not repeated while they are on their way', async () => {
    const remote = new RemoteLog();
    remote.write(10_000);
    remote.sealed = true;
    const source = openSource(remote);
    await settle();
    remote.held = [];
    for (let line = 5000; line < 5050; line += 1) source.want(line, line + 40);
    expect(remote.held.length).toBeLessThanOrEqual(3);
    source.stop();
  });

  it('end with the source', async () => {
    const remote = new RemoteLog();
    remote.held = [];
    const source = openSource(remote);
    source.stop();
    for (const answer of remote.held) answer();
    await settle(10_000);
    expect([source.isOpen, source.failure, remote.isFollowed]).toEqual([false, undefined, false]);
  });
});

function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('any schedule of writing, cuts, failures and looking around', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => [seed + 1]))(
    'ends with every line, once and in order (%i)',
    async (seed) => {
      const random = makeRandom(seed);
      const remote = new RemoteLog();
      remote.write(random(3000));
      const source = openSource(remote);
      const steps = [
        () => remote.write(random(400)),
        () => remote.push(),
        () => remote.fallBehind(),
        () => {
          remote.failing = random(4) === 0;
        },
        () => source.want(1 + random(remote.lines.length + 1), 40 + random(remote.lines.length + 1)),
        () => {
          source.stop();
          source.start();
        },
      ];
      for (let step = 0; step < 150; step += 1) {
        steps[random(steps.length)]?.();
        await settle(random(3) * 40);
      }
      remote.failing = false;
      remote.seal();
      source.finish();
      await settle(5000);
      const length = remote.lines.length;
      expect([source.store.total, source.store.sealed]).toEqual([length, true]);
      const seen: (string | undefined)[] = [];
      for (let from = 1; from <= length; from += 100) {
        const to = Math.min(length, from + 99);
        source.want(from, to);
        await settle(10);
        seen.push(...readTexts(source, from, to));
      }
      expect(seen).toEqual(remote.lines.map((line) => line.output));
      source.stop();
    },
  );
});

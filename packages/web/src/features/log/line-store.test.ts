import type { LiveLine } from '@signalbox/contract/live';
import type { LogRange } from '@signalbox/contract/tasks';
import { describe, expect, it } from 'vitest';
import { LineStore, pageLines } from './line-store.ts';

const time = '2026-11-21T12:00:00.000Z';

function makeLines(from: number, to: number): LiveLine[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    line: from + index,
    time,
    output: `line ${from + index}`,
  }));
}

function makeRange(from: number, to: number, total: number, sealed = false): LogRange {
  return { first: from, next: to + 1, total, sealed, lines: makeLines(from, to) };
}

/** The same numbers from the same seed, so that a failure can be seen again. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('a log that is read by ranges', () => {
  it('knows the length of the whole log from the first range', () => {
    const store = new LineStore();
    store.addRange(makeRange(1, 100, 1_000_000));
    expect(store.total).toBe(1_000_000);
    expect(store.get(100)?.output).toBe('line 100');
    expect(store.get(101)).toBeUndefined();
  });

  it('names the missing spans between what it holds', () => {
    const store = new LineStore();
    store.addRange(makeRange(1, 100, 2000));
    store.addRange(makeRange(301, 310, 2000));
    expect(store.listMissing(50, 400)).toEqual([
      { from: 101, to: 300 },
      { from: 311, to: 400 },
    ]);
  });

  it('misses nothing behind the end of the log', () => {
    const store = new LineStore();
    store.addRange(makeRange(1, 10, 10));
    expect(store.listMissing(1, 500)).toEqual([]);
  });

  it('asks again for the rest of a range that was cut short', () => {
    const store = new LineStore();
    store.addRange({ ...makeRange(1, 40, 100), next: 41 });
    expect(store.listMissing(1, 100)).toEqual([{ from: 41, to: 100 }]);
  });

  it('learns the length from an answer that lies past the end', () => {
    const store = new LineStore();
    store.addRange({ first: 43, next: 43, total: 42, sealed: true, lines: [] });
    expect([store.total, store.sealed]).toEqual([42, true]);
  });
});

describe('a log that grows', () => {
  it('takes live lines and drops those that it has', () => {
    const store = new LineStore();
    store.addLive(makeLines(1, 10), 11);
    store.addLive([{ line: 10, time, output: 'another text' }, ...makeLines(11, 12)], 13);
    expect(store.total).toBe(12);
    expect(store.get(10)?.output).toBe('line 10');
    expect(store.held).toBe(12);
  });

  it('shows a jump as missing lines', () => {
    const store = new LineStore();
    store.addLive(makeLines(1, 10), 11);
    store.addLive(makeLines(50, 60), 61);
    expect(store.listMissing(1, 60)).toEqual([{ from: 11, to: 49 }]);
  });

  it('ends where it was sealed', () => {
    const store = new LineStore();
    store.addLive(makeLines(1, 10), 11);
    store.seal(10);
    store.addLive(makeLines(9, 10), 11);
    expect([store.total, store.sealed]).toEqual([10, true]);
  });

  it('changes its version with every change and only then', () => {
    const store = new LineStore();
    const versions = [store.version];
    store.addLive(makeLines(1, 3), 4);
    versions.push(store.version);
    store.seal(3);
    versions.push(store.version);
    store.seal(3);
    store.get(1);
    store.listMissing(1, 3);
    expect(new Set(versions).size).toBe(3);
    expect(store.version).toBe(versions[2]);
  });
});

describe('lost lines', () => {
  const gap: LiveLine = { line: 10, time, output: 'the disk was full', gap: 11 };

  it('are held as the record that says why', () => {
    const store = new LineStore();
    store.addLive([...makeLines(1, 9), gap, ...makeLines(21, 25)], 26);
    expect(store.get(10)).toBe(gap);
    expect(store.get(20)).toBe(gap);
    expect(store.get(21)?.output).toBe('line 21');
    expect(store.listMissing(1, 25)).toEqual([]);
  });

  it('cost nothing, however many they are', () => {
    const store = new LineStore();
    store.addLive([{ ...gap, gap: 2_000_000_000 }], 2_000_000_010);
    expect(store.get(1_500_000_000)?.output).toBe('the disk was full');
    expect(store.listMissing(1, 2_000_000_009)).toEqual([{ from: 1, to: 9 }]);
    expect(store.held).toBe(0);
  });
});

describe('what is kept', () => {
  it('stays within the limit of pages, and the lines that are looked at stay', () => {
    const store = new LineStore({ pages: 4 });
    for (let page = 0; page < 40; page += 1) {
      store.addRange(makeRange(page * pageLines + 1, (page + 1) * pageLines, 40 * pageLines));
      store.evict(1, 10);
    }
    expect(store.held).toBe(4 * pageLines);
    expect(store.listMissing(1, 10)).toEqual([]);
  });

  it('stays within the limit of characters', () => {
    const store = new LineStore({ characters: 1_000_000 });
    for (let line = 1; line <= 10_000; line += 1) {
      store.addLive([{ line, time, output: 'x'.repeat(10_000) }], line + 1);
      store.evict(line - 10, line);
    }
    expect(store.held).toBeLessThanOrEqual(2 * pageLines);
    expect(store.listMissing(9_990, 10_000)).toEqual([]);
  });

  it('is what was looked at last', () => {
    const store = new LineStore({ pages: 2 });
    for (const page of [0, 1, 2])
      store.addRange(makeRange(page * pageLines + 1, (page + 1) * pageLines, 3 * pageLines));
    store.get(1);
    store.evict(1001, 1002);
    expect([store.get(1), store.get(501), store.get(1001)].map((line) => line?.line)).toEqual([1, undefined, 1001]);
  });

  it('is dropped and fetched again without a trace', () => {
    const store = new LineStore({ pages: 1 });
    store.addRange(makeRange(1, pageLines, 2 * pageLines));
    store.addRange(makeRange(pageLines + 1, 2 * pageLines, 2 * pageLines));
    store.evict(pageLines + 1, pageLines + 1);
    expect(store.listMissing(1, 3)).toEqual([{ from: 1, to: 3 }]);
    store.addRange(makeRange(1, pageLines, 2 * pageLines));
    expect(store.get(3)?.output).toBe('line 3');
  });
});

describe('any order of events', () => {
  it.each(Array.from({ length: 200 }, (_, seed) => [seed + 1]))('ends in the exact log (schedule %i)', (seed) => {
    const random = makeRandom(seed);
    const length = 1 + random(4000);
    const log = makeLines(1, length).map((line) => ({ ...line, output: `${line.output} of ${seed}` }));
    const store = new LineStore({ pages: 2 + random(4) });
    let written = 0;
    let followed = 0;
    for (let step = 0; step < 200; step += 1) {
      written = Math.min(length, written + random(60));
      const from = 1 + random(Math.max(1, written));
      const to = Math.min(written, from + random(700));
      const kind = random(5);
      // Live lines, some of them a second time, and sometimes cut off for a while.
      if (kind < 2) {
        const start = Math.max(0, followed - random(20));
        followed = Math.max(followed, Math.min(written, followed + random(80)));
        store.addLive(log.slice(start, followed), followed + 1);
      } else if (kind === 2) followed = Math.max(followed, written - random(30));
      else
        store.addRange({
          first: from,
          next: to + 1,
          total: written,
          sealed: written === length,
          lines: log.slice(from - 1, to),
        });
      store.evict(from, to);
    }
    store.addRange({ first: length + 1, next: length + 1, total: length, sealed: true, lines: [] });
    expect([store.total, store.sealed]).toEqual([length, true]);
    // A reader that walks through it fetches what is missing and sees every line once, in order.
    const seen: string[] = [];
    for (let line = 1; line <= length; line += 1) {
      for (const span of store.listMissing(line, line + 99)) {
        store.addRange({
          first: span.from,
          next: span.to + 1,
          total: length,
          sealed: true,
          lines: log.slice(span.from - 1, span.to),
        });
      }
      store.evict(line, line + 99);
      seen.push(store.get(line)?.output ?? 'missing');
    }
    expect(seen).toEqual(log.map((line) => line.output));
  });
});

import type { LiveLine } from '@signalbox/contract/live';
import { describe, expect, it } from 'vitest';
import { joinText, orderRange, type TextPoint } from './copied-text.ts';
import { LineStore } from './line-store.ts';

const time = '2026-11-21T12:00:00.000Z';

function openStore(records: Omit<LiveLine, 'time'>[]): LineStore {
  const store = new LineStore();
  const last = records.at(-1);
  store.addLive(
    records.map((record) => ({ ...record, time })),
    (last?.line ?? 0) + (last?.gap ?? 1),
  );
  return store;
}

const all = (line: number): TextPoint => ({ line, column: Number.MAX_SAFE_INTEGER });
const copy = (store: LineStore, from: TextPoint, to: TextPoint) =>
  joinText(store, orderRange(from, to), (first, last) => `[${first} to ${last} lost]`);

describe('what is copied', () => {
  const store = openStore([
    { line: 1, output: 'first' },
    { line: 2, output: '\u001b[32mok:\u001b[0m [web-01]' },
    { line: 3, output: 'third' },
  ]);

  it('is the text without colours, line by line', () => {
    expect(copy(store, { line: 1, column: 0 }, all(3))).toBe('first\nok: [web-01]\nthird');
  });

  it('is cut at both ends of the selection', () => {
    expect(copy(store, { line: 1, column: 2 }, { line: 3, column: 2 })).toBe('rst\nok: [web-01]\nth');
  });

  it('is the same when it was drawn upwards', () => {
    expect(copy(store, { line: 3, column: 2 }, { line: 1, column: 2 })).toBe('rst\nok: [web-01]\nth');
  });

  it('is a part of one line', () => {
    expect(copy(store, { line: 2, column: 4 }, { line: 2, column: 12 })).toBe('[web-01]');
  });

  it('joins the records of one long line', () => {
    const long = openStore([
      { line: 1, output: 'aaa', continued: true },
      { line: 2, output: 'bbb' },
      { line: 3, output: 'c' },
    ]);
    expect(copy(long, { line: 1, column: 0 }, all(3))).toBe('aaabbb\nc');
  });

  it('says what was lost, once', () => {
    const gapped = openStore([
      { line: 1, output: 'a' },
      { line: 2, output: 'full', gap: 3 },
      { line: 5, output: 'b' },
    ]);
    expect(copy(gapped, { line: 1, column: 0 }, all(5))).toBe('a\n[2 to 4 lost]\nb');
    expect(copy(gapped, { line: 3, column: 0 }, all(3))).toBe('[2 to 4 lost]');
  });
});

import { describe, expect, test } from 'vitest';
import { formatDuration, formatMoment, formatShortMoment, parseTime } from './dates.ts';

// Local times: the words depend on the day of the reader, not on UTC.
const now = new Date(2026, 10, 21, 14, 30, 0).getTime();
const at = (hour: number, minute: number, day = 21, year = 2026): number =>
  new Date(year, 10, day, hour, minute).getTime();

describe('a time', () => {
  test.each([
    ['of the same minute is just now', at(14, 30), 'just now · 14:30'],
    ['of the same day is relative with HH:mm', at(14, 27), '3 m ago · 14:27'],
    ['hours ago on the same day is in hours', at(2, 0), '12 h ago · 02:00'],
    ['a little ahead of this clock counts as now', at(14, 31), 'just now · 14:31'],
    ['still to come on this day is a time of it', at(14, 32), '14:32'],
  ])('%s', (_, ms, words) => {
    expect(formatMoment(ms, now)).toBe(words);
  });

  test('of another day is the local date and HH:mm, even if it is less than a day ago', () => {
    expect(formatMoment(at(23, 5, 20), now)).toBe('Nov 20 23:05');
    expect(formatShortMoment(at(23, 5, 20), now)).toBe('Nov 20 23:05');
  });

  test('of another year names it', () => {
    expect(formatMoment(at(8, 9, 20, 2025), now)).toBe('Nov 20, 2025 08:09');
  });

  test('in a tight place leaves the clock out', () => {
    expect(formatShortMoment(at(13, 30), now)).toBe('1 h ago');
    expect(formatShortMoment(at(15, 30), now)).toBe('15:30');
  });

  test('on the wire is in UTC', () => {
    expect(parseTime('2026-11-21T14:30:00.250Z')).toBe(Date.UTC(2026, 10, 21, 14, 30, 0, 250));
  });
});

test.each([
  [0, '0 s'],
  [41_900, '41 s'],
  [187_000, '3 m 07 s'],
  [3_600_000, '1 h 00 m'],
  [93_600_000, '1 d 02 h'],
  [-5, '0 s'],
])('a duration of %i ms is %j', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

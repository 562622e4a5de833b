import { expect, test } from 'vitest';
import { findBounds, findDay, readRange } from './stats-range.ts';

test.each([
  ['week', '2026-02-23'],
  ['month', '2026-01-31'],
  ['year', '2025-03-02'],
] as const)('the past %s ends today and begins on %s', (range, from) => {
  expect(findBounds(range, '2026-03-01')).toEqual({ from, to: '2026-03-01' });
});

test('today is the day of the reader, not that of the server', () => {
  const evening = Date.parse('2026-03-01T23:30:00Z');
  expect(findDay(evening, 'UTC')).toBe('2026-03-01');
  expect(findDay(evening, 'Asia/Tokyo')).toBe('2026-03-02');
  expect(findDay(evening, 'America/New_York')).toBe('2026-03-01');
});

test('without a range in the address, or with an unknown one, it is the past week', () => {
  expect([undefined, 'decade', 'month'].map(readRange)).toEqual(['week', 'week', 'month']);
});

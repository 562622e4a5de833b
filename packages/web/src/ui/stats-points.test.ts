import { expect, test } from 'vitest';
import { addEnds, listDays, rateSuccess, smoothCounts, sumCounts } from './stats-points.ts';

const nothing = { success: 0, error: 0, stopped: 0 };
const tuesday = { date: '2026-03-03', count_by_status: { success: 4, error: 1, stopped: 2 } };
const friday = { date: '2026-03-06', count_by_status: { success: 1, error: 0, stopped: 0 } };

test('a point with zeros is added at the first day and at the last', () => {
  expect(addEnds([friday, tuesday], '2026-03-01', '2026-03-07')).toEqual([
    { date: '2026-03-01', count_by_status: nothing },
    tuesday,
    friday,
    { date: '2026-03-07', count_by_status: nothing },
  ]);
});

test('a first and a last day that have tasks keep them, and what lies outside is left out', () => {
  expect(addEnds([tuesday, friday], '2026-03-03', '2026-03-06')).toEqual([tuesday, friday]);
  expect(addEnds([tuesday, friday], '2026-03-04', '2026-03-04')).toEqual([
    { date: '2026-03-04', count_by_status: nothing },
  ]);
});

test('every day has its place, also over a change of the clock', () => {
  const days = listDays(addEnds([], '2026-03-28', '2026-04-02'));
  expect(days.map(({ date }) => date)).toEqual([
    '2026-03-28',
    '2026-03-29',
    '2026-03-30',
    '2026-03-31',
    '2026-04-01',
    '2026-04-02',
  ]);
});

test('stopped tasks count in the sum and not in the rate of success', () => {
  const sum = sumCounts([tuesday, friday]);
  expect(sum).toEqual({ success: 5, error: 1, stopped: 2 });
  expect(rateSuccess(sum)).toBeCloseTo(5 / 6);
  expect(rateSuccess({ success: 0, error: 0, stopped: 3 })).toBeUndefined();
});

test('a smoothed day is the mean of the week that ends with it', () => {
  expect(smoothCounts([7, 0, 2, 0, 0, 0, 5, 0])).toEqual([7, 3.5, 3, 2.25, 1.8, 1.5, 2, 1]);
});

import { expect, test } from 'vitest';
import { buildPlotData } from './stats-plot-options.ts';

test('bars of a day stand on each other, and lines count success, failed and stopped', () => {
  const days = [
    { date: '2026-03-03', count_by_status: { success: 4, error: 1, stopped: 2 } },
    { date: '2026-03-04', count_by_status: { success: 1, error: 3, stopped: 0 } },
  ];
  const [at, ...series] = buildPlotData(days);
  expect(at).toEqual([0, 1]);
  const bars = [
    [7, 4],
    [5, 4],
    [4, 1],
  ];
  const lines = [
    [2, 0],
    [1, 3],
    [4, 1],
  ];
  expect(series).toEqual([...bars, ...lines]);
});

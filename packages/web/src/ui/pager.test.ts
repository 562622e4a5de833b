import { expect, test } from 'vitest';
import { slicePage } from './pager.tsx';

const rows = Array.from({ length: 45 }, (_, index) => index + 1);

test('a page has 20 rows, the last one what is left', () => {
  expect(slicePage(rows, 1)).toEqual(rows.slice(0, 20));
  expect(slicePage(rows, 3)).toEqual([41, 42, 43, 44, 45]);
});

test('a page past the end is the last one', () => {
  expect(slicePage(rows, 99)).toEqual([41, 42, 43, 44, 45]);
  expect(slicePage([], 4)).toEqual([]);
});

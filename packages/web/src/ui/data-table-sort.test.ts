import { expect, test } from 'vitest';
import { sortRows } from './data-table-sort.ts';

type Row = { name: string; size: number | null };
const columns = [
  { id: 'name', sortBy: ({ name }: Row) => name },
  { id: 'size', sortBy: ({ size }: Row) => size },
  { id: 'fixed' },
];
const rows: Row[] = [
  { name: 'web-10', size: 2 },
  { name: 'Web-2', size: null },
  { name: 'api', size: 10 },
];

function namesBy(column: string, order: 'asc' | 'desc'): string[] {
  return sortRows(rows, columns, { column, order }).map(({ name }) => name);
}

test('texts are sorted as people sort them: by number, in any letter case', () => {
  expect(namesBy('name', 'asc')).toEqual(['api', 'Web-2', 'web-10']);
  expect(namesBy('name', 'desc')).toEqual(['web-10', 'Web-2', 'api']);
});

test('missing values come last in either order', () => {
  expect(namesBy('size', 'asc')).toEqual(['web-10', 'api', 'Web-2']);
  expect(namesBy('size', 'desc')).toEqual(['api', 'web-10', 'Web-2']);
});

test('an unknown column and one without an order leave the rows as they came', () => {
  expect(namesBy('nothing', 'asc')).toEqual(['web-10', 'Web-2', 'api']);
  expect(namesBy('fixed', 'desc')).toEqual(['web-10', 'Web-2', 'api']);
});

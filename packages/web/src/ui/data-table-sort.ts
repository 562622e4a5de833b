import { currentLocale } from '../lib/i18n.ts';
import type { TableSort } from '../lib/table-search.ts';

type Sortable<Row> = { id: string; sortBy?: (row: Row) => string | number | null | undefined };

/** A sorted copy: texts as people sort them (`web-2` before `web-10`), missing values last in either order. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Sortable<Row>[], sort: TableSort): Row[] {
  const sortBy = columns.find((column) => column.id === sort.column)?.sortBy;
  if (sortBy === undefined) return [...rows];
  const collator = new Intl.Collator(currentLocale(), { numeric: true, sensitivity: 'base' });
  const direction = sort.order === 'desc' ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sortBy(row) ?? undefined }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      const order =
        typeof a.value === 'number' && typeof b.value === 'number'
          ? a.value - b.value
          : collator.compare(String(a.value), String(b.value));
      return order * direction;
    })
    .map(({ row }) => row);
}

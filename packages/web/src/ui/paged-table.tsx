import type { ComponentProps } from 'react';
import { type TableSort, useTablePage, useTableSort } from '../lib/table-search.ts';
import { DataTable } from './data-table.tsx';
import { sortRows } from './data-table-sort.ts';
import { Pager, slicePage } from './pager.tsx';

type PagedTableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'sort' | 'onSort'> & {
  defaultSort: TableSort;
};

/** A table of 20 rows a page, whose sort and page are in the address. */
export function PagedTable<Row>({ defaultSort, rows, ...rest }: PagedTableProps<Row>) {
  const [sort, setSort] = useTableSort(defaultSort);
  const [page, setPage] = useTablePage();
  const sorted = rows === undefined ? undefined : sortRows(rows, rest.columns, sort);
  return (
    <>
      <DataTable {...rest} rows={sorted && slicePage(sorted, page)} sort={sort} onSort={setSort} />
      <Pager page={page} total={rows?.length ?? 0} onPage={setPage} />
    </>
  );
}

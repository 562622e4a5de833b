import { useNavigate, useSearch } from '@tanstack/react-router';

export type SortOrder = 'asc' | 'desc';
export type TableSort = { column: string; order: SortOrder };

type TableSearch = { sort?: string | undefined; order?: SortOrder | undefined; page?: number | undefined };

/** Reads `sort`, `order` and `page` of an address; what makes no sense is left out. */
function readTableSearch(search: Record<string, unknown>): TableSearch {
  const { sort, order, page } = search;
  const number = Number(page);
  return {
    ...(typeof sort === 'string' && sort !== '' ? { sort } : {}),
    ...(order === 'asc' || order === 'desc' ? { order } : {}),
    ...(Number.isInteger(number) && number > 1 ? { page: number } : {}),
  };
}

/** The sort of a table, kept in the address. A sort that is the default one leaves no trace there. */
export function useTableSort(fallback: TableSort): [TableSort, (sort: TableSort) => void] {
  const search = readTableSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const sort = search.sort === undefined ? fallback : { column: search.sort, order: search.order ?? 'asc' };
  const change = (next: TableSort): void => {
    const isDefault = next.column === fallback.column && next.order === fallback.order;
    const change = isDefault ? { sort: undefined, order: undefined } : { sort: next.column, order: next.order };
    void navigate({
      to: '.',
      replace: true,
      search: (before: Record<string, unknown>) => ({ ...before, ...change, page: undefined }),
    });
  };
  return [sort, change];
}

/** The id before which a list begins, kept in the address; undefined where it begins with the newest. */
export function useListStart(): number | undefined {
  const { before }: { before?: unknown } = useSearch({ strict: false });
  const id = Number(before);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

/** The page of a table, from 1, kept in the address. */
export function useTablePage(): [number, (page: number) => void] {
  const { page } = readTableSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (next: number): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, page: next > 1 ? next : undefined }),
    });
  return [page ?? 1, change];
}

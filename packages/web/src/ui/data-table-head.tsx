import { VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { t } from '../lib/i18n.ts';
import type { SortOrder, TableSort } from '../lib/table-search.ts';
import css from './data-table.module.css';
import type { ColumnWidth } from './data-table-width.ts';

/** What the head needs to know of a column. */
type HeadColumn = {
  id: string;
  title: string;
  /** Anything but undefined makes the column sortable. */
  sortBy?: unknown;
  align?: 'end';
  width?: ColumnWidth;
  inList?: string;
  isSecondary?: boolean;
};

type TableHeadProps = {
  columns: readonly HeadColumn[];
  sort: TableSort | undefined;
  onSort: ((sort: TableSort) => void) | undefined;
  hasExpand: boolean;
  hasActions: boolean;
};

export function TableHead({ columns, sort, onSort, hasExpand, hasActions }: TableHeadProps) {
  return (
    <thead className={css.head}>
      <tr>
        {hasExpand ? <HiddenCell title={t('ui.columnExpand')} className={css.expand} /> : null}
        {columns.map((column) => (
          <HeadCell
            key={column.id}
            column={column}
            order={sort?.column === column.id ? sort.order : undefined}
            onSort={column.sortBy === undefined ? undefined : onSort}
          />
        ))}
        {hasActions ? <HiddenCell title={t('ui.actions')} className={css.actions} /> : null}
      </tr>
    </thead>
  );
}

/** A column that needs no title for those who see it. */
function HiddenCell({ title, className }: { title: string; className: string | undefined }) {
  return (
    <th className={className}>
      <VisuallyHidden>{title}</VisuallyHidden>
    </th>
  );
}

type HeadCellProps = {
  column: HeadColumn;
  order: SortOrder | undefined;
  onSort: ((sort: TableSort) => void) | undefined;
};

type WidthStyle = CSSProperties & { '--width': string };

/** The style sheet has the last word on it; a share means something between columns that keep their widths only. */
function widthOf({ width }: HeadColumn): WidthStyle | undefined {
  return typeof width === 'number' ? { '--width': `${width}px` } : undefined;
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

function HeadCell({ column, order, onSort }: HeadCellProps) {
  return (
    <th
      aria-sort={order === undefined ? undefined : ariaSort[order]}
      data-align={column.align}
      data-secondary={column.isSecondary || undefined}
      data-list={column.inList}
      style={widthOf(column)}
      title={onSort === undefined ? column.title : undefined}
    >
      {onSort === undefined ? (
        column.title
      ) : (
        <button
          type="button"
          className={css.sort}
          title={t('ui.sortBy', { column: column.title })}
          onClick={() => onSort({ column: column.id, order: order === 'asc' ? 'desc' : 'asc' })}
        >
          <span>{column.title}</span>
          {order === 'desc' ? (
            <IconArrowDown size={13} stroke={1.8} aria-hidden />
          ) : (
            <IconArrowUp size={13} stroke={1.8} aria-hidden data-idle={order === undefined || undefined} />
          )}
        </button>
      )}
    </th>
  );
}

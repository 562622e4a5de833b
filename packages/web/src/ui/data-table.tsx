import { ActionIcon } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { t } from '../lib/i18n.ts';
import type { TableSort } from '../lib/table-search.ts';
import css from './data-table.module.css';
import { TableHead } from './data-table-head.tsx';
import { LongBody } from './data-table-long-body.tsx';
import { sortRows } from './data-table-sort.ts';
import { type ColumnWidth, listTracks, shareWidth } from './data-table-width.ts';

export type Column<Row> = {
  id: string;
  title: string;
  render: (row: Row) => ReactNode;
  /** Makes the column sortable. Missing values come last in either order. */
  sortBy?: (row: Row) => string | number | null | undefined;
  /** Numbers stand at the right, in tabular figures. */
  align?: 'end';
  width?: ColumnWidth;
  /** Paths, addresses, versions. */
  mono?: boolean;
  /**
   * Place of the cell where the table has become a list (below 960 px): `title` first and bold, `side` at its right, `line`
   * in the lines below with its heading (the default), `note` there without it, `hidden` nowhere.
   */
  inList?: 'title' | 'side' | 'line' | 'note' | 'hidden';
  /** Gives way on a window narrower than 1,200 px. */
  isSecondary?: boolean;
  /** The column chooser leaves it alone. */
  isFixed?: boolean;
};

type DataTableProps<Row> = {
  /** What the table shows, for those who cannot see it. */
  label: string;
  columns: Column<Row>[];
  /** Undefined while loading: the shape of the table is shown. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  sort?: TableSort;
  onSort?: (sort: TableSort) => void;
  /** Buttons at the right end of a row, in the same place in every row. */
  renderActions?: (row: Row) => ReactNode;
  /** Rows under an opened row: `SubRow`s that follow the same columns. */
  renderExpanded?: (row: Row, columns: Column<Row>[]) => ReactNode;
  /** Name of a row for its expand button. */
  rowName?: (row: Row) => string;
  /** Instead of the table when there is no row. */
  empty?: ReactNode;
  isRowActive?: (row: Row) => boolean;
  /** Columns keep the widths that they ask for, and cut what is longer: for tables with more columns than room. */
  hasFixedWidths?: boolean;
};

/** So many rows are drawn at once, without a jerk. */
const longFrom = 100;
const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sort, renderActions, renderExpanded, empty } = props;
  /** Rows that were opened, and whether they still are. */
  const [opened, setOpened] = useState<ReadonlyMap<string | number, boolean>>(new Map());
  if (rows !== undefined && rows.length === 0 && empty !== undefined) return empty;
  const sorted = rows === undefined || sort === undefined ? rows : sortRows(rows, columns, sort);
  const toggle = (key: string | number): void => setOpened(new Map(opened).set(key, opened.get(key) !== true));
  const renderRow = (row: Row, index?: number): ReactNode => {
    const key = rowKey(row);
    return (
      <DataRow {...props} row={row} index={index} isOpen={opened.get(key) === true} onToggle={() => toggle(key)} />
    );
  };
  const ends = [renderExpanded !== undefined, renderActions !== undefined] as const;
  // Columns that took their widths from what is drawn would change them while it is scrolled.
  const isLong = props.hasFixedWidths === true && (rows?.length ?? 0) >= longFrom;
  return (
    <div className={css.frame}>
      <table
        aria-label={label}
        aria-rowcount={isLong ? (rows?.length ?? 0) + 1 : undefined}
        aria-busy={rows === undefined}
        className={css.table}
        data-fixed={props.hasFixedWidths || undefined}
        style={(props.hasFixedWidths === true ? listTracks : shareWidth)(columns, ...ends)}
      >
        <TableHead
          columns={columns}
          sort={sort}
          onSort={props.onSort}
          hasExpand={renderExpanded !== undefined}
          hasActions={renderActions !== undefined}
        />
        {sorted !== undefined && isLong ? (
          <LongBody
            rows={sorted}
            rowKey={rowKey}
            renderRow={renderRow}
            mayBeHigher={(row) => opened.has(rowKey(row))}
          />
        ) : (
          <tbody className={css.body}>
            {sorted === undefined
              ? SKELETON_ROWS.map((key) => (
                  <SkeletonRow
                    key={key}
                    columns={columns}
                    hasExpand={renderExpanded !== undefined}
                    hasActions={renderActions !== undefined}
                  />
                ))
              : sorted.map((row) => <Fragment key={rowKey(row)}>{renderRow(row)}</Fragment>)}
          </tbody>
        )}
      </table>
    </div>
  );
}

type DataRowProps<Row> = DataTableProps<Row> & {
  row: Row;
  index: number | undefined;
  isOpen: boolean;
  onToggle: () => void;
};

function DataRow<Row>(props: DataRowProps<Row>) {
  const { row, columns, isOpen, renderActions, renderExpanded } = props;
  return (
    <>
      <tr
        className={css.row}
        data-active={props.isRowActive?.(row) || undefined}
        data-open={isOpen || undefined}
        // The head is the first one.
        aria-rowindex={props.index === undefined ? undefined : props.index + 2}
      >
        {renderExpanded === undefined ? null : (
          <td className={css.expand}>
            <ExpandButton
              isOpen={isOpen}
              name={props.rowName?.(row) ?? String(props.rowKey(row))}
              onToggle={props.onToggle}
            />
          </td>
        )}
        {columns.map((column) => (
          <Cell key={column.id} column={column}>
            {column.render(row)}
          </Cell>
        ))}
        {renderActions === undefined ? null : (
          <td className={css.actions}>
            <div className={css.buttons}>{renderActions(row)}</div>
          </td>
        )}
      </tr>
      {isOpen ? renderExpanded?.(row, columns) : null}
    </>
  );
}

function ExpandButton({ isOpen, name, onToggle }: { isOpen: boolean; name: string; onToggle: () => void }) {
  return (
    <ActionIcon
      size={26}
      onClick={onToggle}
      aria-expanded={isOpen}
      aria-label={t(isOpen ? 'ui.collapse' : 'ui.expand', { name })}
    >
      <IconChevronRight size={17} stroke={1.7} className={css.chevron} data-open={isOpen || undefined} />
    </ActionIcon>
  );
}

type CellProps<Row> = { column: Column<Row>; children: ReactNode };

function Cell<Row>({ column, children }: CellProps<Row>) {
  return (
    <td
      className={css.cell}
      data-align={column.align}
      data-mono={column.mono || undefined}
      data-secondary={column.isSecondary || undefined}
      data-list={column.inList ?? 'line'}
      data-title={column.title}
    >
      {children}
    </td>
  );
}

type SubRowProps<Row> = {
  columns: Column<Row>[];
  /** Cells by column id; columns without one stay empty. */
  cells: Partial<Record<string, ReactNode>>;
  /** Right end of the row. */
  end?: ReactNode;
};

/** A lower row under an opened one, in the columns of the table. */
export function SubRow<Row>({ columns, cells, end }: SubRowProps<Row>) {
  return (
    <tr className={css.subRow}>
      <td className={css.expand} />
      {columns.map((column) => (
        <Cell key={column.id} column={column}>
          {cells[column.id]}
        </Cell>
      ))}
      <td className={css.end}>{end}</td>
    </tr>
  );
}

type SkeletonRowProps<Row> = { columns: Column<Row>[]; hasExpand: boolean; hasActions: boolean };

function SkeletonRow<Row>({ columns, hasExpand, hasActions }: SkeletonRowProps<Row>) {
  return (
    <tr className={css.row} aria-hidden>
      {hasExpand ? <td className={css.expand} /> : null}
      {columns.map((column, index) => (
        <Cell key={column.id} column={column}>
          <span className={css.bar} data-wide={index === 0 || undefined} />
        </Cell>
      ))}
      {hasActions ? <td className={css.actions} /> : null}
    </tr>
  );
}

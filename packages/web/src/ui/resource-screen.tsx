import type { ComponentProps, ReactNode } from 'react';
import { useEditing } from '../lib/dialog-search.ts';
import { t } from '../lib/i18n.ts';
import { usePage } from '../lib/page.ts';
import { useTableSort } from '../lib/table-search.ts';
import type { Removal } from '../lib/use-removal.ts';
import { type Column, DataTable } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { PageHeader } from './page-header.tsx';
import { RemovalDialogs } from './removal-dialogs.tsx';
import { RowActions } from './row-actions.tsx';
import { Tag } from './tag.tsx';

type ResourceScreenProps<Row extends { id: number; name: string }> = Pick<
  ComponentProps<typeof DataTable<Row>>,
  'renderExpanded'
> & {
  title: string;
  list: { data: readonly Row[] | undefined; error: Error | null; refetch: () => unknown };
  /** @param onOpen opens the form of a row; undefined for those who may only read */
  listColumns: (onOpen: ((id: number) => void) | undefined) => Column<Row>[];
  canEdit: boolean;
  /** Makes a new one. Where nothing is yet, it stands in the middle. */
  newButton: ReactNode;
  empty: { icon: ReactNode; title: string; text: string };
  /** Rows that have a form; all of them where nothing is said. */
  isEditable?: (row: Row) => boolean;
  /** What a row offers besides editing and deleting. */
  renderMoreActions?: (row: Row) => ReactNode;
  removal: Removal<Row>;
  /** What a row is, in the middle of a sentence: 'key', 'repository'. */
  object: string;
  /** Stands between heading and table. */
  above?: ReactNode;
  /** Forms. */
  children: ReactNode;
};

/** The objects of one kind that a project has: a table by name, and for those who may edit, the ways to make, change and delete one. */
export function ResourceScreen<Row extends { id: number; name: string }>(props: ResourceScreenProps<Row>) {
  const { title, list, canEdit, empty, removal, isEditable = () => true, renderExpanded } = props;
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [, setEditing] = useEditing();
  usePage(title);
  const newButton = canEdit ? props.newButton : undefined;
  const renderActions = (row: Row) => (
    <RowActions
      name={row.name}
      {...(isEditable(row) ? { onEdit: () => setEditing(row.id) } : {})}
      onDelete={() => removal.start(row)}
      isBusy={removal.isBusy}
    >
      {props.renderMoreActions?.(row)}
    </RowActions>
  );
  return (
    <>
      <PageHeader
        title={title}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        actions={list.data?.length === 0 ? undefined : newButton}
      />
      {props.above}
      {list.error === null || list.data !== undefined ? (
        <DataTable
          label={title}
          columns={props.listColumns(canEdit ? setEditing : undefined)}
          rows={list.data}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          sort={sort}
          onSort={setSort}
          {...(canEdit ? { renderActions } : {})}
          {...(renderExpanded === undefined ? {} : { renderExpanded })}
          empty={
            <EmptyState icon={empty.icon} title={empty.title} action={newButton}>
              {empty.text}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      )}
      {props.children}
      <RemovalDialogs removal={removal} object={props.object} />
    </>
  );
}

import { Button } from '@mantine/core';
import type { Key, KeyType } from '@signalbox/contract/keys';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEditing, useFreshSave } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { keysQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useTableSort } from '../../lib/table-search.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { useKeyRemoval, useSaveKey } from './data.ts';
import { KeyFormDialog } from './key-form-dialog.tsx';
import { keyTypes } from './key-types.ts';

export function KeysScreen() {
  const projectId = useProjectId();
  const keys = useQuery(keysQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [editing, setEditing] = useEditing();
  const save = useSaveKey(projectId);
  useFreshSave(editing, save.reset);
  const removal = useKeyRemoval(projectId, ({ name }) => showSuccess(t('keys.deleted', { name })));
  usePage(t('nav.keys'));

  const edited = keys.data?.find(({ id }) => id === editing);
  const isFormOpen = canEdit && (editing === 'new' || edited !== undefined);
  const handleClose = (): void => setEditing(undefined);
  const newButton = canEdit ? (
    <Button variant="primary" leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setEditing('new')}>
      {t('keys.new')}
    </Button>
  ) : undefined;

  return (
    <>
      <PageHeader
        title={t('nav.keys')}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        // Where nothing is yet, the button stands in the middle.
        actions={keys.data?.length === 0 ? undefined : newButton}
      />
      {keys.error === null || keys.data !== undefined ? (
        <DataTable
          label={t('nav.keys')}
          columns={listColumns(canEdit ? setEditing : undefined)}
          rows={keys.data}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={setSort}
          {...(canEdit
            ? {
                renderActions: (key: Key) => (
                  <RowActions
                    name={key.name}
                    onEdit={() => setEditing(key.id)}
                    onDelete={() => removal.start(key)}
                    isBusy={removal.isBusy}
                  />
                ),
              }
            : {})}
          empty={
            <EmptyState icon={<IconKey size={19} stroke={1.6} />} title={t('keys.emptyTitle')} action={newButton}>
              {t('keys.emptyText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      )}
      {isFormOpen ? (
        <KeyFormDialog
          key={editing}
          value={edited}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(change) => save.mutate(change, { onSuccess: handleClose })}
          onClose={handleClose}
        />
      ) : null}
      <RemovalDialogs removal={removal} object={t('keys.object')} />
    </>
  );
}

function listColumns(onOpen: ((id: number) => void) | undefined): Column<Key>[] {
  return [
    {
      id: 'name',
      title: t('keys.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, name, type, empty }) => (
        <NamedCell
          icon={<TypeIcon type={type} />}
          beside={empty === true ? <Tag tone="warning">{t('keys.empty')}</Tag> : undefined}
        >
          {onOpen === undefined ? name : <RowButton onClick={() => onOpen(id)}>{name}</RowButton>}
        </NamedCell>
      ),
    },
    {
      id: 'type',
      title: t('keys.type'),
      inList: 'note',
      sortBy: ({ type }) => t(keyTypes[type].title),
      render: ({ type }) => t(keyTypes[type].title),
    },
  ];
}

function TypeIcon({ type }: { type: KeyType }) {
  const { icon: Icon } = keyTypes[type];
  return <Icon size={14} stroke={1.7} />;
}

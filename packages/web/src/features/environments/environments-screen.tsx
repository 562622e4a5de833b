import { Button } from '@mantine/core';
import type { Environment } from '@signalbox/contract/environments';
import { IconPlus, IconVariable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Editing, useEditing, useFreshSave } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { environmentsQuery } from '../../lib/project-lists.ts';
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
import { showFailure, showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { environmentQuery, useEnvironmentRemoval, useSaveEnvironment } from './data.ts';
import { EnvironmentFormDialog } from './environment-form-dialog.tsx';

export function EnvironmentsScreen() {
  const projectId = useProjectId();
  const environments = useQuery(environmentsQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [editing, setEditing] = useEditing();
  const edited = useEdited(projectId, canEdit ? editing : undefined);
  const save = useSaveEnvironment(projectId);
  useFreshSave(editing, save.reset);
  const removal = useEnvironmentRemoval(projectId, ({ name }) => showSuccess(t('environments.deleted', { name })));
  usePage(t('nav.environment'));

  const handleClose = (): void => setEditing(undefined);
  const newButton = canEdit ? (
    <Button variant="primary" leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setEditing('new')}>
      {t('environments.new')}
    </Button>
  ) : undefined;
  const renderActions = (environment: Environment) => (
    <RowActions
      name={environment.name}
      onEdit={() => setEditing(environment.id)}
      onDelete={() => removal.start(environment)}
      isBusy={removal.isBusy}
    />
  );

  return (
    <>
      <PageHeader
        title={t('nav.environment')}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        // Where nothing is yet, the button stands in the middle.
        actions={environments.data?.length === 0 ? undefined : newButton}
      />
      {environments.error === null || environments.data !== undefined ? (
        <DataTable
          label={t('nav.environment')}
          columns={listColumns(canEdit ? setEditing : undefined)}
          rows={environments.data}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={setSort}
          {...(canEdit ? { renderActions } : {})}
          empty={
            <EmptyState
              icon={<IconVariable size={19} stroke={1.6} />}
              title={t('environments.emptyTitle')}
              action={newButton}
            >
              {t('environments.emptyText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
      )}
      {edited.isReady ? (
        <EnvironmentFormDialog
          key={editing}
          value={edited.value}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(change) => save.mutate(change, { onSuccess: handleClose })}
          onClose={handleClose}
        />
      ) : null}
      <RemovalDialogs removal={removal} object={t('environments.object')} />
    </>
  );
}

/** What the form starts from: nothing for a new group, else the group with the names of its secrets. */
function useEdited(projectId: number, editing: Editing | undefined): { isReady: boolean; value?: Environment } {
  const id = typeof editing === 'number' ? editing : undefined;
  const { data, error } = useQuery({ ...environmentQuery(projectId, id ?? 0), enabled: id !== undefined });
  useEffect(() => {
    if (error !== null) showFailure(error);
  }, [error]);
  if (editing === 'new') return { isReady: true };
  return id === undefined || data === undefined ? { isReady: false } : { isReady: true, value: data };
}

function listColumns(onOpen: ((id: number) => void) | undefined): Column<Environment>[] {
  return [
    {
      id: 'name',
      title: t('environments.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, name }) => (
        <NamedCell icon={<IconVariable size={14} stroke={1.7} />}>
          {onOpen === undefined ? name : <RowButton onClick={() => onOpen(id)}>{name}</RowButton>}
        </NamedCell>
      ),
    },
  ];
}

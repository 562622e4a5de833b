import { Button, Loader } from '@mantine/core';
import { gitUrlKind } from '@signalbox/contract/git-url';
import type { Key } from '@signalbox/contract/keys';
import type { Repository } from '@signalbox/contract/repositories';
import { IconGitBranch, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEditing, useFreshSave } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { keysQuery, repositoriesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useTableSort } from '../../lib/table-search.ts';
import { Dash } from '../../ui/dash.tsx';
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
import { useRepositoryRemoval, useSaveRepository } from './data.ts';
import css from './repositories.module.css';
import { RepositoryFormDialog } from './repository-form-dialog.tsx';
import { TestButton } from './test-button.tsx';

export function RepositoriesScreen() {
  const projectId = useProjectId();
  const repositories = useQuery(repositoriesQuery(projectId));
  const { data: keys } = useQuery(keysQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [editing, setEditing] = useEditing();
  const save = useSaveRepository(projectId);
  useFreshSave(editing, save.reset);
  const removal = useRepositoryRemoval(projectId, ({ name }) => showSuccess(t('repositories.deleted', { name })));
  usePage(t('nav.repositories'));

  const edited = repositories.data?.find(({ id }) => id === editing);
  const isFormOpen = canEdit && keys !== undefined && (editing === 'new' || edited !== undefined);
  const handleClose = (): void => setEditing(undefined);
  const newButton = canEdit ? (
    <Button variant="primary" leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setEditing('new')}>
      {t('repositories.new')}
    </Button>
  ) : undefined;
  const renderActions = (repository: Repository) => (
    <RowActions
      name={repository.name}
      onEdit={() => setEditing(repository.id)}
      onDelete={() => removal.start(repository)}
      isBusy={removal.isBusy}
    >
      <TestButton projectId={projectId} repository={repository} />
    </RowActions>
  );

  return (
    <>
      <PageHeader
        title={t('nav.repositories')}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        // Where nothing is yet, the button stands in the middle.
        actions={repositories.data?.length === 0 ? undefined : newButton}
      />
      {repositories.error === null || repositories.data !== undefined ? (
        <DataTable
          label={t('nav.repositories')}
          columns={listColumns(keys, canEdit ? setEditing : undefined)}
          rows={repositories.data}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={setSort}
          {...(canEdit ? { renderActions } : {})}
          empty={
            <EmptyState
              icon={<IconGitBranch size={19} stroke={1.6} />}
              title={t('repositories.emptyTitle')}
              action={newButton}
            >
              {t('repositories.emptyText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={repositories.error} onRetry={() => void repositories.refetch()} />
      )}
      {isFormOpen ? (
        <RepositoryFormDialog
          key={editing}
          value={edited}
          keys={keys}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(change) => save.mutate(change, { onSuccess: handleClose })}
          onClose={handleClose}
        />
      ) : null}
      <RemovalDialogs removal={removal} object={t('repositories.object')} />
    </>
  );
}

function listColumns(
  keys: readonly Key[] | undefined,
  onOpen: ((id: number) => void) | undefined,
): Column<Repository>[] {
  const nameOfKey = (id: number): string | undefined => keys?.find((key) => key.id === id)?.name;
  return [
    {
      id: 'name',
      title: t('repositories.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, name }) => (
        <NamedCell icon={<IconGitBranch size={14} stroke={1.7} />}>
          {onOpen === undefined ? name : <RowButton onClick={() => onOpen(id)}>{name}</RowButton>}
        </NamedCell>
      ),
    },
    {
      id: 'git_url',
      title: t('repositories.gitUrl'),
      inList: 'note',
      mono: true,
      sortBy: ({ git_url: url }) => url,
      render: ({ git_url: url, git_branch: branch }) => (
        <span className={css.address}>
          <span className={css.url}>{url}</span>
          {gitUrlKind(url) === 'local' || branch === '' ? null : <Tag>{branch}</Tag>}
        </span>
      ),
    },
    {
      id: 'key',
      title: t('repositories.key'),
      sortBy: ({ ssh_key_id: id }) => nameOfKey(id),
      render: ({ ssh_key_id: id }) => (keys === undefined ? <Loader size={12} /> : (nameOfKey(id) ?? <Dash />)),
    },
  ];
}

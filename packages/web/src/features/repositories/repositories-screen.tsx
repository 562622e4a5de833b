import { Loader } from '@mantine/core';
import { gitUrlKind } from '@signalbox/contract/git-url';
import type { Key } from '@signalbox/contract/keys';
import type { Repository } from '@signalbox/contract/repositories';
import { IconGitBranch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { keysQuery, repositoriesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useOpenForm } from '../../lib/use-open-form.ts';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { ResourceScreen } from '../../ui/resource-screen.tsx';
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
  const form = useOpenForm(useEditing(), repositories.data, useSaveRepository(projectId));
  const removal = useRepositoryRemoval(projectId, ({ name }) => showSuccess(t('repositories.deleted', { name })));
  return (
    <ResourceScreen
      title={t('nav.repositories')}
      list={repositories}
      listColumns={(onOpen) => listColumns(keys, onOpen)}
      canEdit={canEdit}
      newButton={<NewButton>{t('repositories.new')}</NewButton>}
      empty={{
        icon: <IconGitBranch size={19} stroke={1.6} />,
        title: t('repositories.emptyTitle'),
        text: t('repositories.emptyText'),
      }}
      renderMoreActions={(repository) => <TestButton projectId={projectId} repository={repository} />}
      removal={removal}
      object={t('repositories.object')}
    >
      {canEdit && form.isOpen && keys !== undefined ? (
        <RepositoryFormDialog key={form.key} {...form.props} keys={keys} />
      ) : null}
    </ResourceScreen>
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

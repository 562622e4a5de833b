import type { Environment } from '@signalbox/contract/environments';
import { IconVariable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Editing, useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { environmentsQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useOpenForm } from '../../lib/use-open-form.ts';
import type { Column } from '../../ui/data-table.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { ResourceScreen } from '../../ui/resource-screen.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { showFailure, showSuccess } from '../../ui/snackbar.ts';
import { environmentQuery, useEnvironmentRemoval, useSaveEnvironment } from './data.ts';
import { EnvironmentFormDialog } from './environment-form-dialog.tsx';

export function EnvironmentsScreen() {
  const projectId = useProjectId();
  const environments = useQuery(environmentsQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [editing, setEditing] = useEditing();
  const edited = useEdited(projectId, canEdit ? editing : undefined);
  const form = useOpenForm([editing, setEditing], edited, useSaveEnvironment(projectId));
  const removal = useEnvironmentRemoval(projectId, ({ name }) => showSuccess(t('environments.deleted', { name })));
  return (
    <ResourceScreen
      title={t('nav.environment')}
      list={environments}
      listColumns={listColumns}
      canEdit={canEdit}
      newButton={<NewButton>{t('environments.new')}</NewButton>}
      empty={{
        icon: <IconVariable size={19} stroke={1.6} />,
        title: t('environments.emptyTitle'),
        text: t('environments.emptyText'),
      }}
      removal={removal}
      object={t('environments.object')}
    >
      {canEdit && form.isOpen ? <EnvironmentFormDialog key={form.key} {...form.props} /> : null}
    </ResourceScreen>
  );
}

/** The group that the form starts from: unlike those of the list, it has the names of its secrets. */
function useEdited(projectId: number, editing: Editing | undefined): Environment[] {
  const id = typeof editing === 'number' ? editing : undefined;
  const { data, error } = useQuery({ ...environmentQuery(projectId, id ?? 0), enabled: id !== undefined });
  useEffect(() => {
    if (error !== null) showFailure(error);
  }, [error]);
  return data === undefined ? [] : [data];
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

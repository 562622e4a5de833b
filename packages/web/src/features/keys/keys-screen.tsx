import type { Key, KeyType } from '@signalbox/contract/keys';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { keysQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useOpenForm } from '../../lib/use-open-form.ts';
import type { Column } from '../../ui/data-table.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { ResourceScreen } from '../../ui/resource-screen.tsx';
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
  const form = useOpenForm(useEditing(), keys.data, useSaveKey(projectId));
  const removal = useKeyRemoval(projectId, ({ name }) => showSuccess(t('keys.deleted', { name })));
  return (
    <ResourceScreen
      title={t('nav.keys')}
      list={keys}
      listColumns={listColumns}
      canEdit={canEdit}
      newButton={<NewButton>{t('keys.new')}</NewButton>}
      empty={{
        icon: <IconKey size={19} stroke={1.6} />,
        title: t('keys.emptyTitle'),
        text: t('keys.emptyText'),
      }}
      removal={removal}
      object={t('keys.object')}
    >
      {canEdit && form.isOpen ? <KeyFormDialog key={form.key} {...form.props} /> : null}
    </ResourceScreen>
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

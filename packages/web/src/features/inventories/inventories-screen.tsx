import { type Inventory, isWorkspaceType } from '@signalbox/contract/inventories';
import { IconFileText, IconLink, IconServer2, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEditing, useFreshSave } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { inventoriesQuery, keysQuery, repositoriesQuery, templatesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useOpenForm } from '../../lib/use-open-form.ts';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { ResourceScreen } from '../../ui/resource-screen.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { AttachDialog } from './attach-dialog.tsx';
import { useAttachWorkspace, useInventoryRemoval, useSaveInventory } from './data.ts';
import css from './inventories.module.css';
import { inventoryTypeNames } from './inventory-draft.ts';
import { InventoryFormDialog } from './inventory-form-dialog.tsx';
import { NewInventoryMenu } from './new-inventory-menu.tsx';

/** A workspace is edited with its template. */
function isEditable({ type }: Inventory): boolean {
  return !isWorkspaceType(type);
}

export function InventoriesScreen() {
  const projectId = useProjectId();
  const inventories = useQuery(inventoriesQuery(projectId));
  const { data: keys } = useQuery(keysQuery(projectId));
  const { data: repositories } = useQuery(repositoriesQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [editing, setEditing] = useEditing();
  const editable = inventories.data?.filter(isEditable);
  const form = useOpenForm([editing, setEditing], editable, useSaveInventory(projectId));
  const removal = useInventoryRemoval(projectId, ({ name }) => showSuccess(t('inventories.deleted', { name })));
  return (
    <ResourceScreen
      title={t('nav.inventory')}
      list={inventories}
      listColumns={listColumns}
      canEdit={canEdit}
      newButton={<NewInventoryMenu onNew={() => setEditing('new')} />}
      empty={{
        icon: <IconServer2 size={19} stroke={1.6} />,
        title: t('inventories.emptyTitle'),
        text: t('inventories.emptyText'),
      }}
      isEditable={isEditable}
      renderMoreActions={(inventory) =>
        isEditable(inventory) ? null : <AttachButton name={inventory.name} onClick={() => setEditing(inventory.id)} />
      }
      removal={removal}
      object={t('inventories.object')}
    >
      {canEdit && form.isOpen && keys !== undefined && repositories !== undefined ? (
        <InventoryFormDialog key={form.key} {...form.props} keys={keys} repositories={repositories} />
      ) : null}
      {canEdit ? <OpenWorkspace projectId={projectId} inventories={inventories.data} /> : null}
    </ResourceScreen>
  );
}

function AttachButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <IconButton label={t('inventories.attachNamed', { name })} hint={t('inventories.attachTo')} onClick={onClick}>
      <IconLink size={17} stroke={1.7} />
    </IconButton>
  );
}

/** What the address opens of a workspace: it is attached to a template, not edited. */
function OpenWorkspace({ projectId, inventories }: { projectId: number; inventories: Inventory[] | undefined }) {
  const [editing, setEditing] = useEditing();
  const { data: templates } = useQuery(templatesQuery(projectId));
  const attach = useAttachWorkspace(projectId);
  useFreshSave(editing, attach.reset);
  const workspace = inventories?.find((inventory) => inventory.id === editing && !isEditable(inventory));
  if (workspace === undefined || templates === undefined) return null;
  const handleClose = (): void => setEditing(undefined);
  const handleSubmit = (templateId: number): void =>
    attach.mutate(
      { workspaceId: workspace.id, templateId },
      {
        onSuccess: () => {
          showSuccess(t('inventories.attached', { name: workspace.name }));
          handleClose();
        },
      },
    );
  return (
    <AttachDialog
      key={workspace.id}
      workspace={workspace}
      templates={templates}
      isBusy={attach.isPending}
      error={attach.error}
      onSubmit={handleSubmit}
      onClose={handleClose}
    />
  );
}

function listColumns(onOpen: ((id: number) => void) | undefined): Column<Inventory>[] {
  return [
    {
      id: 'name',
      title: t('inventories.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: (inventory) => (
        <NamedCell icon={<TypeIcon type={inventory.type} />}>
          {onOpen === undefined ? (
            inventory.name
          ) : (
            <RowButton onClick={() => onOpen(inventory.id)}>{inventory.name}</RowButton>
          )}
        </NamedCell>
      ),
    },
    {
      id: 'type',
      title: t('inventories.type'),
      inList: 'note',
      sortBy: ({ type }) => t(inventoryTypeNames[type]),
      render: ({ type }) => t(inventoryTypeNames[type]),
    },
    {
      id: 'path',
      title: t('inventories.pathColumn'),
      sortBy: ({ type, inventory }) => (hasPath(type) ? inventory : undefined),
      render: ({ type, inventory }) => (hasPath(type) ? <span className={css.path}>{inventory}</span> : <Dash />),
    },
  ];
}

/** Only these say in one line where they are; the others are their content. */
function hasPath(type: Inventory['type']): boolean {
  return type === 'file' || type === 'terraform-workspace';
}

function TypeIcon({ type }: { type: Inventory['type'] }) {
  const Icon = type === 'file' ? IconFileText : isWorkspaceType(type) ? IconStack2 : IconServer2;
  return <Icon size={14} stroke={1.7} />;
}

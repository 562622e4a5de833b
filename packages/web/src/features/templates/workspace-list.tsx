import { Button } from '@mantine/core';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Template } from '@signalbox/contract/templates';
import { IconLink, IconLinkOff, IconPlus, IconStack2, IconStar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { keysQuery } from '../../lib/project-lists.ts';
import { Dash } from '../../ui/dash.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowLink } from '../../ui/row-target.tsx';
import { showFailure, showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { useDialog } from './use-dialog.ts';
import { useWorkspaceRemoval, useWorkspaceStep } from './workspace-data.ts';
import { AttachWorkspaceDialog, NewWorkspaceDialog } from './workspace-dialogs.tsx';
import { WorkspaceSection } from './workspace-section.tsx';

type WorkspaceListProps = {
  template: Template;
  /** Undefined while they are fetched. */
  workspaces: readonly Inventory[] | undefined;
  /** Those that belong to no template, and can be attached. */
  free: readonly Inventory[];
  /** The one whose state is shown below. */
  chosen: Inventory | undefined;
  canEdit: boolean;
};

/** The workspaces of a template. Its default one stays: tasks run in it. */
export function WorkspaceList({ template, workspaces, free, chosen, canEdit }: WorkspaceListProps) {
  const { project_id: projectId } = template;
  const { data: keys } = useQuery(keysQuery(projectId));
  const [dialog, setDialog] = useDialog();
  const step = useWorkspaceStep(template);
  const removal = useWorkspaceRemoval(projectId);
  const run = (kind: 'setDefault' | 'detach', { id, inventory: name }: Inventory): void =>
    step.mutate(
      { step: kind, workspaceId: id },
      {
        onSuccess: () => showSuccess(t(kind === 'detach' ? 'workspaces.detached' : 'workspaces.madeDefault', { name })),
        onError: showFailure,
      },
    );
  const renderActions = (workspace: Inventory) => {
    const isDefault = workspace.id === template.inventory_id;
    const name = workspace.inventory;
    const barred = isDefault ? t('workspaces.defaultStays') : undefined;
    const isDisabled = step.isPending || removal.isBusy;
    return (
      <RowActions name={name} onDelete={() => removal.start(workspace)} deleteReason={barred} isBusy={removal.isBusy}>
        {isDefault ? null : (
          <IconButton
            label={t('workspaces.actionNamed', { action: t('workspaces.setDefault'), name })}
            hint={t('workspaces.setDefault')}
            isDisabled={isDisabled}
            onClick={() => run('setDefault', workspace)}
          >
            <IconStar size={17} stroke={1.7} />
          </IconButton>
        )}
        <IconButton
          label={t('workspaces.actionNamed', { action: t('workspaces.detach'), name })}
          hint={t('workspaces.detach')}
          reason={barred}
          isDisabled={isDisabled}
          onClick={() => run('detach', workspace)}
        >
          <IconLinkOff size={17} stroke={1.7} />
        </IconButton>
      </RowActions>
    );
  };
  const byDefault = [...(workspaces ?? [])].sort(
    (a, b) =>
      Number(b.id === template.inventory_id) - Number(a.id === template.inventory_id) ||
      a.inventory.localeCompare(b.inventory),
  );
  const nameKey = (id: number | null): string | undefined => keys?.find((key) => key.id === id)?.name;
  return (
    <WorkspaceSection
      title={t('workspaces.tab')}
      actions={
        canEdit ? (
          <>
            <Button leftSection={<IconLink size={17} stroke={1.7} />} onClick={() => setDialog('attach')}>
              {t('workspaces.attach')}
            </Button>
            <Button leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setDialog('workspace')}>
              {t('workspaces.new')}
            </Button>
          </>
        ) : undefined
      }
    >
      <DataTable
        label={t('workspaces.tab')}
        columns={listColumns(template, nameKey)}
        rows={workspaces === undefined ? undefined : byDefault}
        rowKey={({ id }) => id}
        isRowActive={({ id }) => id === chosen?.id}
        {...(canEdit ? { renderActions } : {})}
        empty={
          <EmptyState icon={<IconStack2 size={19} stroke={1.6} />} title={t('workspaces.none')}>
            {t('workspaces.noneText')}
          </EmptyState>
        }
      />
      {canEdit && dialog === 'workspace' && keys !== undefined ? (
        <NewWorkspaceDialog template={template} keys={keys} onClose={() => setDialog(undefined)} />
      ) : null}
      {canEdit && dialog === 'attach' ? (
        <AttachWorkspaceDialog template={template} free={free} onClose={() => setDialog(undefined)} />
      ) : null}
      <RemovalDialogs removal={removal} object={t('workspaces.object')} />
    </WorkspaceSection>
  );
}

function listColumns(template: Template, nameKey: (id: number | null) => string | undefined): Column<Inventory>[] {
  return [
    {
      id: 'workspace',
      title: t('workspaces.workspace'),
      inList: 'title',
      render: ({ id, inventory, name }) => (
        <>
          <RowLink
            to="."
            search={(before: Record<string, unknown>) => ({ ...before, workspace: id })}
            resetScroll={false}
            title={name}
          >
            {inventory}
          </RowLink>{' '}
          {id === template.inventory_id ? <Tag>{t('workspaces.default')}</Tag> : null}
        </>
      ),
    },
    {
      id: 'name',
      title: t('workspaces.inventory'),
      inList: 'note',
      render: ({ name }) => <span title={name}>{name}</span>,
    },
    { id: 'key', title: t('workspaces.key'), render: ({ ssh_key_id: id }) => nameKey(id) ?? <Dash /> },
  ];
}

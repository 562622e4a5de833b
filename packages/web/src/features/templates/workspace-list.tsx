import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Template } from '@signalbox/contract/templates';
import { IconLink, IconLinkOff, IconPlus, IconStack2, IconStar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { keysQuery } from '../../lib/project-lists.ts';
import { Dash } from '../../ui/dash.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
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
    const action = (label: string, icon: ReactNode, onClick: () => void, barred: string | undefined) => (
      <RowAction label={label} name={name} barred={barred} isBusy={step.isPending || removal.isBusy} onClick={onClick}>
        {icon}
      </RowAction>
    );
    return (
      <RowActions
        name={name}
        onDelete={() => removal.start(workspace)}
        deleteReason={isDefault ? t('workspaces.defaultStays') : undefined}
        isBusy={removal.isBusy}
      >
        {isDefault
          ? null
          : action(
              t('workspaces.setDefault'),
              <IconStar size={17} stroke={1.7} />,
              () => run('setDefault', workspace),
              undefined,
            )}
        {action(
          t('workspaces.detach'),
          <IconLinkOff size={17} stroke={1.7} />,
          () => run('detach', workspace),
          isDefault ? t('workspaces.defaultStays') : undefined,
        )}
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

type RowActionProps = {
  label: string;
  name: string;
  /** Why it cannot be done. */
  barred: string | undefined;
  isBusy: boolean;
  onClick: () => void;
  children: ReactNode;
};

function RowAction({ label, name, barred, isBusy, onClick, children }: RowActionProps) {
  const isBarred = barred !== undefined;
  return (
    <Tooltip label={barred ?? label} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        aria-label={t('workspaces.actionNamed', { action: label, name })}
        aria-disabled={isBarred}
        data-disabled={isBarred}
        disabled={isBusy && !isBarred}
        onClick={() => {
          if (!isBarred) onClick();
        }}
      >
        {children}
      </ActionIcon>
    </Tooltip>
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

import { Button } from '@mantine/core';
import type { Inventory } from '@signalbox/contract/inventories';
import type { TerraformAlias } from '@signalbox/contract/terraform';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { keysQuery } from '../../lib/project-lists.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dash } from '../../ui/dash.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { AliasDialog, RemoveAliasDialog } from './alias-dialogs.tsx';
import { useDialog } from './use-dialog.ts';
import { aliasesQuery } from './workspace-data.ts';
import { WorkspaceSection } from './workspace-section.tsx';
import css from './workspaces.module.css';

export type WorkspacePartProps = {
  projectId: number;
  workspace: Inventory;
  /** Whether this server keeps states. */
  isBackendOn: boolean;
  canEdit: boolean;
};

/** Addresses under which Terraform and OpenTofu find the state from outside of tasks. */
export function StateAliases({ projectId, workspace, isBackendOn, canEdit }: WorkspacePartProps) {
  const place = { projectId, workspaceId: workspace.id };
  const aliases = useQuery(aliasesQuery(place));
  const { data: keys } = useQuery(keysQuery(projectId));
  const [dialog, setDialog] = useDialog();
  const [removed, setRemoved] = useState<TerraformAlias>();
  const edited = aliases.data?.find(({ id }) => dialog === `alias-${id}`);
  const isOpen = canEdit && (edited !== undefined || (dialog === 'alias' && isBackendOn));
  const nameKey = (id: number): string | undefined => keys?.find((key) => key.id === id)?.name;
  return (
    <WorkspaceSection
      title={t('aliases.title', { workspace: workspace.inventory })}
      hint={isBackendOn ? t('aliases.hint') : t('aliases.off')}
      actions={
        canEdit ? (
          <Button
            leftSection={<IconPlus size={17} stroke={1.7} />}
            disabled={!isBackendOn || aliases.data === undefined}
            onClick={() => setDialog('alias')}
          >
            {t('aliases.add')}
          </Button>
        ) : undefined
      }
    >
      {aliases.error !== null && aliases.data === undefined ? (
        <ErrorState error={aliases.error} onRetry={() => void aliases.refetch()} />
      ) : (
        <DataTable
          label={t('aliases.title', { workspace: workspace.inventory })}
          columns={listColumns(nameKey)}
          rows={aliases.data}
          rowKey={({ id }) => id}
          {...(canEdit
            ? {
                renderActions: (alias: TerraformAlias) => (
                  <RowActions
                    name={alias.url}
                    {...(isBackendOn ? { onEdit: () => setDialog(`alias-${alias.id}`) } : {})}
                    onDelete={() => setRemoved(alias)}
                  />
                ),
              }
            : {})}
          empty={<p className={css.notice}>{t('aliases.none')}</p>}
        />
      )}
      {isOpen ? (
        <AliasDialog
          key={edited?.id ?? 'new'}
          alias={edited}
          keys={(keys ?? []).filter(({ type }) => type === 'login_password')}
          place={place}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
      {removed === undefined ? null : (
        <RemoveAliasDialog alias={removed} place={place} onClose={() => setRemoved(undefined)} />
      )}
    </WorkspaceSection>
  );
}

function listColumns(nameKey: (id: number) => string | undefined): Column<TerraformAlias>[] {
  return [
    {
      id: 'url',
      title: t('aliases.url'),
      inList: 'title',
      render: ({ url }) => (
        <span className={css.url}>
          <code title={url}>{url}</code>
          <CopyButton text={url} label={t('aliases.copy')} done={t('aliases.copied')} />
        </span>
      ),
    },
    { id: 'key', title: t('aliases.key'), render: ({ auth_key_id: id }) => nameKey(id) ?? <Dash /> },
  ];
}

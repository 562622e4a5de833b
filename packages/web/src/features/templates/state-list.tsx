import type { TerraformStateItem } from '@signalbox/contract/terraform';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dash } from '../../ui/dash.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Tag } from '../../ui/tag.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { TaskLink } from './last-task.tsx';
import type { WorkspacePartProps } from './state-aliases.tsx';
import { StateViewer } from './state-viewer.tsx';
import { useDialog } from './use-dialog.ts';
import { statesQuery, useRemoveState, type WorkspacePlace } from './workspace-data.ts';
import { WorkspaceSection } from './workspace-section.tsx';
import css from './workspaces.module.css';

/** The stored states of a workspace, newest first. Their text holds secrets, so it is for those who manage resources. */
export function StateList({ projectId, workspace, isBackendOn, canEdit }: WorkspacePartProps) {
  const place = { projectId, workspaceId: workspace.id };
  const states = useQuery({ ...statesQuery(place), enabled: isBackendOn });
  const [dialog, setDialog] = useDialog();
  const [removed, setRemoved] = useState<TerraformStateItem>();
  const opened = /^state-(\d+)$/.exec(dialog ?? '')?.[1];
  return (
    <WorkspaceSection title={t('states.title', { workspace: workspace.inventory })}>
      {!isBackendOn ? (
        <p className={css.notice}>{t('states.off')}</p>
      ) : states.error !== null && states.data === undefined ? (
        <ErrorState error={states.error} onRetry={() => void states.refetch()} />
      ) : (
        <DataTable
          label={t('states.title', { workspace: workspace.inventory })}
          columns={listColumns(states.data?.[0]?.id, canEdit ? (id) => setDialog(`state-${id}`) : undefined)}
          rows={states.data}
          rowKey={({ id }) => id}
          {...(canEdit
            ? {
                renderActions: (state: TerraformStateItem) => (
                  <RowActions
                    name={t('states.serialOf', { serial: state.serial })}
                    onDelete={() => setRemoved(state)}
                  />
                ),
              }
            : {})}
          empty={<p className={css.notice}>{t('states.none')}</p>}
        />
      )}
      {canEdit && isBackendOn && opened !== undefined ? (
        <StateViewer
          key={opened}
          place={place}
          stateId={Number(opened)}
          workspace={workspace.inventory}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
      {removed === undefined ? null : (
        <RemoveStateDialog
          state={removed}
          isCurrent={removed.id === states.data?.[0]?.id}
          place={place}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </WorkspaceSection>
  );
}

type RemoveStateDialogProps = {
  state: TerraformStateItem;
  isCurrent: boolean;
  place: WorkspacePlace;
  onClose: () => void;
};

function RemoveStateDialog({ state, isCurrent, place, onClose }: RemoveStateDialogProps) {
  const remove = useRemoveState(place);
  return (
    <ConfirmDialog
      isOpen
      title={t('ui.deleteTitle', { object: t('states.object') })}
      confirmLabel={t('ui.delete')}
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : describeError(remove.error)}
      onConfirm={() => remove.mutate(state, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t(isCurrent ? 'states.deleteNewest' : 'states.deleteText', { serial: state.serial })}
    </ConfirmDialog>
  );
}

function listColumns(
  newest: number | undefined,
  onOpen: ((id: number) => void) | undefined,
): Column<TerraformStateItem>[] {
  return [
    {
      id: 'serial',
      title: t('states.serial'),
      inList: 'title',
      render: ({ id, serial }) => (
        <>
          {onOpen === undefined ? (
            t('states.serialOf', { serial })
          ) : (
            <RowButton onClick={() => onOpen(id)}>{t('states.serialOf', { serial })}</RowButton>
          )}{' '}
          {id === newest ? <Tag>{t('states.current')}</Tag> : null}
        </>
      ),
    },
    {
      id: 'task',
      title: t('templates.task'),
      render: ({ task_id: id }) => (id === null ? <Dash /> : <TaskLink task={{ id }} />),
    },
    {
      id: 'status',
      title: t('templates.status'),
      inList: 'side',
      render: ({ status }) => (status === null ? <Dash /> : <StatusBadge status={status} />),
    },
    { id: 'created', title: t('states.created'), inList: 'note', render: ({ created }) => <TimeAgo time={created} /> },
  ];
}

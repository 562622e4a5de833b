import type { Runner } from '@signalbox/contract/runners';
import { IconServerBolt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditing, useFreshSave } from '../../lib/dialog-search.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';
import {
  type RunnerPlace,
  runnersQuery,
  useChangeRunner,
  useCreateRunner,
  useRemoveRunner,
  useRunnerSwitch,
} from './data.ts';
import { listRunnerColumns } from './runner-columns.tsx';
import { RunnerDetails } from './runner-details.tsx';
import { RunnerFormDialog } from './runner-form-dialog.tsx';

type RunnerListProps = {
  projectId: RunnerPlace;
  /** Names of projects, where runners of all of them are shown. */
  projects?: ReadonlyMap<number, string>;
  /** Why nothing can be changed; undefined where it can. */
  reason: string | undefined;
};

/** Runners of a project or of all, with what can be done with one. */
export function RunnerList({ projectId, projects, reason }: RunnerListProps) {
  const runners = useQuery(runnersQuery(projectId));
  const [editing, setEditing] = useEditing();
  const create = useCreateRunner(projectId);
  const change = useChangeRunner(projectId);
  useFreshSave(editing, change.reset);
  const remove = useRemoveRunner(projectId);
  const onSwitch = useRunnerSwitch(projectId);
  const [doomed, setDoomed] = useState<Runner>();

  const edited = runners.data?.find(({ id }) => id === editing);
  const close = (): void => {
    setEditing(undefined);
    create.reset();
  };
  const closeRemove = (): void => {
    setDoomed(undefined);
    remove.reset();
  };
  const handleRemove = (runner: Runner): void =>
    remove.mutate(runner, {
      onSuccess: () => {
        closeRemove();
        showSuccess(t('runners.deleted', { name: runner.name }));
      },
    });
  if (runners.error !== null && runners.data === undefined) {
    return <ErrorState error={runners.error} onRetry={() => void runners.refetch()} />;
  }
  const isOpen = reason === undefined && (editing === 'new' || edited !== undefined);
  return (
    <>
      <PagedTable
        label={t('runners.title')}
        columns={listRunnerColumns({ reason, projects, onSwitch, onOpen: setEditing })}
        rows={runners.data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        defaultSort={{ column: 'name', order: 'asc' }}
        renderActions={(runner) =>
          reason === undefined ? (
            <RowActions name={runner.name} onEdit={() => setEditing(runner.id)} onDelete={() => setDoomed(runner)} />
          ) : null
        }
        renderExpanded={(runner, columns) => <RunnerDetails runner={runner} span={columns.length + 2} />}
        empty={
          <EmptyState icon={<IconServerBolt size={19} stroke={1.6} />} title={t('runners.emptyTitle')}>
            {t('runners.emptyText')}
          </EmptyState>
        }
      />
      {isOpen && create.data === undefined ? (
        <RunnerFormDialog
          key={editing}
          value={edited}
          isInProject={(edited?.project_id ?? projectId ?? null) !== null}
          isBusy={create.isPending || change.isPending}
          error={create.error ?? change.error}
          onSubmit={(input) =>
            edited === undefined ? create.mutate(input) : change.mutate({ id: edited.id, input }, { onSuccess: close })
          }
          onClose={close}
        />
      ) : null}
      {create.data === undefined ? null : <CredentialsDialog runner={create.data} onClose={close} />}
      <ConfirmDialog
        isOpen={doomed !== undefined}
        title={t('ui.deleteTitle', { object: t('runners.object') })}
        confirmLabel={t('ui.delete')}
        isBusy={remove.isPending}
        error={remove.isError ? describeError(remove.error) : undefined}
        onConfirm={() => {
          if (doomed !== undefined) handleRemove(doomed);
        }}
        onClose={closeRemove}
      >
        {t('runners.deleteText', { name: doomed?.name ?? '' })}
      </ConfirmDialog>
    </>
  );
}

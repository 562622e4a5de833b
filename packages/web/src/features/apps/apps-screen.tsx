import { type App, defaultApps } from '@signalbox/contract/apps';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFreshSave } from '../../lib/dialog-search.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { appsQuery } from '../../lib/project-lists.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { ActiveSwitch } from '../../ui/active-switch.tsx';
import { AppIcon } from '../../ui/app-icon.tsx';
import { BackArrow } from '../../ui/back-arrow.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { AppFormDialog } from './app-form-dialog.tsx';
import { useAppSwitch, useRemoveApp, useSaveApp } from './data.ts';

/** Which app's form is open, kept in the address: `app` is the id, `edit=new` a new one. */
function useOpenApp(): [string | undefined, boolean, (app: string | undefined, isNew?: boolean) => void] {
  const { app, edit } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: string | undefined, isNew = false): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, app: next, edit: isNew ? 'new' : undefined }),
      replace: next === undefined && !isNew,
    });
  return [typeof app === 'string' ? app : undefined, edit === 'new', change];
}

export function AppsScreen() {
  const { data: user } = useQuery(currentUserQuery);
  const apps = useQuery(appsQuery);
  const [openId, isNew, setOpen] = useOpenApp();
  const [doomed, setDoomed] = useState<App>();
  const save = useSaveApp();
  useFreshSave(isNew ? 'new' : openId, save.reset);
  const remove = useRemoveApp();
  const setActive = useAppSwitch();
  usePage(t('apps.title'));

  const reason = user?.admin === true ? undefined : t('apps.onlyAdmins');
  const edited = apps.data?.find(({ id }) => id === openId);
  const isFormOpen = reason === undefined && (isNew || edited !== undefined);
  const closeForm = (): void => setOpen(undefined);
  const closeRemove = (): void => {
    setDoomed(undefined);
    remove.reset();
  };
  const handleRemove = (app: App): void =>
    remove.mutate(app, {
      onSuccess: () => {
        closeRemove();
        showSuccess(t('apps.deleted', { name: app.title }));
      },
    });
  return (
    <>
      <PageHeader
        before={<BackArrow />}
        title={t('apps.title')}
        actions={
          <GuardedButton
            variant="primary"
            reason={reason}
            leftSection={<IconPlus size={17} stroke={1.7} />}
            onClick={() => setOpen(undefined, true)}
          >
            {t('apps.new')}
          </GuardedButton>
        }
      />
      {apps.error === null || apps.data !== undefined ? (
        <PagedTable
          label={t('apps.title')}
          columns={listColumns(reason, setActive, (id) => setOpen(id))}
          rows={apps.data}
          rowKey={({ id }) => id}
          // As the server lists them: the highest priority first.
          defaultSort={{ column: '', order: 'asc' }}
          renderActions={(app) => (
            <RowActions
              name={app.title}
              editReason={reason}
              onEdit={() => setOpen(app.id)}
              onDelete={() => setDoomed(app)}
              deleteReason={reason ?? (isDefault(app) ? t('apps.default') : undefined)}
            />
          )}
        />
      ) : (
        <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
      )}
      {isFormOpen ? (
        <AppFormDialog
          key={edited?.id ?? 'new'}
          value={edited}
          taken={apps.data?.map(({ id }) => id) ?? []}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(change) => save.mutate(change, { onSuccess: closeForm })}
          onClose={closeForm}
        />
      ) : null}
      <ConfirmDialog
        isOpen={doomed !== undefined}
        title={t('ui.deleteTitle', { object: t('apps.object') })}
        confirmLabel={t('ui.delete')}
        isBusy={remove.isPending}
        error={remove.isError ? describeError(remove.error) : undefined}
        onConfirm={() => {
          if (doomed !== undefined) handleRemove(doomed);
        }}
        onClose={closeRemove}
      >
        {t('ui.deleteText', { name: doomed?.title ?? '' })}
      </ConfirmDialog>
    </>
  );
}

function isDefault({ id }: App): boolean {
  return defaultApps.some((known) => known === id);
}

function listColumns(
  reason: string | undefined,
  onSwitch: (app: App, active: boolean) => void,
  onOpen: (id: string) => void,
): Column<App>[] {
  return [
    {
      id: 'active',
      title: t('apps.active'),
      width: 74,
      inList: 'side',
      render: (app) => (
        <ActiveSwitch
          name={app.title}
          isActive={app.active}
          reason={reason}
          onChange={(active) => onSwitch(app, active)}
        />
      ),
    },
    {
      id: 'title',
      title: t('apps.name'),
      inList: 'title',
      sortBy: ({ title }) => title,
      render: ({ id, icon, title }) => (
        <NamedCell icon={<AppIcon app={icon || id} />}>
          {reason === undefined ? <RowButton onClick={() => onOpen(id)}>{title}</RowButton> : title}
        </NamedCell>
      ),
    },
    { id: 'id', title: t('apps.id'), mono: true, sortBy: ({ id }) => id, render: ({ id }) => id },
  ];
}

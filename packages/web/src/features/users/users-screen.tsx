import { Button } from '@mantine/core';
import type { CurrentUser, User } from '@signalbox/contract/users';
import { IconCheck, IconLock, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditing } from '../../lib/dialog-search.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { matchesText, useTextFilter } from '../../lib/text-filter.ts';
import { AdminsOnly } from '../../ui/admins-only.tsx';
import { BackArrow } from '../../ui/back-arrow.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useRemoveUser, usersQuery } from './data.ts';
import { UserDialogs, useUserTab } from './user-dialogs.tsx';
import css from './users.module.css';

export function UsersScreen() {
  const { data: viewer } = useQuery(currentUserQuery);
  usePage(t('users.title'));
  if (viewer === undefined) return null;
  return viewer.admin ? <UserList viewer={viewer} /> : <AdminsOnly />;
}

function UserList({ viewer }: { viewer: CurrentUser }) {
  const users = useQuery(usersQuery);
  const [editing, setEditing] = useEditing();
  const [tab, setTab] = useUserTab();
  const [filter, setFilter] = useTextFilter();
  const [doomed, setDoomed] = useState<User>();
  const remove = useRemoveUser();
  const handleRemove = (user: User): void =>
    remove.mutate(user, {
      onSuccess: () => {
        setDoomed(undefined);
        showSuccess(t('users.deleted', { name: user.name }));
      },
    });
  const shown = users.data?.filter(({ name, username, email }) => matchesText([name, username, email], filter));
  return (
    <>
      <PageHeader
        before={<BackArrow />}
        title={t('users.title')}
        actions={
          <>
            <FilterField label={t('users.filter')} value={filter} onChange={setFilter} />
            <NewButton>{t('users.new')}</NewButton>
          </>
        }
      />
      {users.error === null || users.data !== undefined ? (
        <PagedTable
          label={t('users.title')}
          columns={listColumns((id) => setEditing(id))}
          rows={shown}
          rowKey={({ id }) => id}
          defaultSort={{ column: 'name', order: 'asc' }}
          renderActions={(user) => (
            <RowActions
              name={user.name}
              onEdit={() => setEditing(user.id)}
              onDelete={() => setDoomed(user)}
              deleteReason={user.id === viewer.id ? t('users.ownDelete') : undefined}
            >
              <PasswordButton user={user} onClick={() => setTab('password', user.id)} />
            </RowActions>
          )}
          empty={
            <EmptyState
              icon={<IconUsers size={19} stroke={1.6} />}
              title={t('ui.nothingFound')}
              action={<Button onClick={() => setFilter('')}>{t('ui.clearFilter')}</Button>}
            >
              {t('ui.nothingFoundText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={users.error} onRetry={() => void users.refetch()} />
      )}
      <UserDialogs
        user={users.data?.find(({ id }) => id === editing)}
        isNew={editing === 'new'}
        viewer={viewer}
        tab={tab}
        onTab={setTab}
        onClose={() => setTab(undefined, undefined)}
      />
      <ConfirmDialog
        isOpen={doomed !== undefined}
        title={t('ui.deleteTitle', { object: t('users.object') })}
        confirmLabel={t('ui.delete')}
        isBusy={remove.isPending}
        error={remove.isError ? describeError(remove.error) : undefined}
        onConfirm={() => {
          if (doomed !== undefined) handleRemove(doomed);
        }}
        onClose={() => {
          setDoomed(undefined);
          remove.reset();
        }}
      >
        {t('users.deleteText', { name: doomed?.name ?? '' })}
      </ConfirmDialog>
    </>
  );
}

function PasswordButton({ user, onClick }: { user: User; onClick: () => void }) {
  return (
    <IconButton
      label={t('users.changePasswordOf', { name: user.name })}
      hint={t('users.changePassword')}
      reason={user.external ? t('users.externalPassword') : undefined}
      onClick={onClick}
    >
      <IconLock size={17} stroke={1.7} />
    </IconButton>
  );
}

function listColumns(onOpen: (id: number) => void): Column<User>[] {
  return [
    {
      id: 'name',
      title: t('users.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, name }) => <RowButton onClick={() => onOpen(id)}>{name}</RowButton>,
    },
    { id: 'username', title: t('users.username'), sortBy: ({ username }) => username, render: (user) => user.username },
    {
      id: 'email',
      title: t('users.email'),
      sortBy: ({ email }) => email || null,
      render: ({ email }) => (email === '' ? <Dash /> : email),
    },
    flagColumn('alert', t('users.alertColumn'), ({ alert }) => alert),
    flagColumn('admin', t('users.adminColumn'), ({ admin }) => admin),
    flagColumn('external', t('users.external'), ({ external }) => external),
  ];
}

function flagColumn(id: string, title: string, read: (user: User) => boolean): Column<User> {
  return {
    id,
    title,
    width: 100,
    sortBy: (user) => (read(user) ? 0 : 1),
    render: (user) =>
      read(user) ? (
        <IconCheck size={17} stroke={1.9} role="img" aria-label={t('ui.yes')} className={css.flag} />
      ) : (
        <Dash />
      ),
  };
}

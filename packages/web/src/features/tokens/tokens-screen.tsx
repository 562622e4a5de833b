import type { ApiToken } from '@signalbox/contract/tokens';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditing } from '../../lib/dialog-search.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { BackArrow } from '../../ui/back-arrow.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { tokensQuery, useCreateToken, useRevokeToken } from './data.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { TokenFormDialog } from './token-form-dialog.tsx';

/** The reader's own API tokens. */
export function TokensScreen() {
  const tokens = useQuery(tokensQuery);
  const [editing, setEditing] = useEditing();
  const create = useCreateToken();
  const revoke = useRevokeToken();
  const [doomed, setDoomed] = useState<ApiToken>();
  usePage(t('tokens.title'));

  const closeForm = (): void => {
    setEditing(undefined);
    create.reset();
  };
  const closeRevoke = (): void => {
    setDoomed(undefined);
    revoke.reset();
  };
  const handleRevoke = (token: ApiToken): void =>
    revoke.mutate(token, {
      onSuccess: () => {
        closeRevoke();
        showSuccess(t('tokens.revoked', { name: token.name }));
      },
    });
  const newButton = <NewButton>{t('tokens.new')}</NewButton>;
  return (
    <>
      <PageHeader
        before={<BackArrow />}
        title={t('tokens.title')}
        actions={tokens.data?.length === 0 ? undefined : newButton}
      />
      {tokens.error === null || tokens.data !== undefined ? (
        <PagedTable
          label={t('tokens.title')}
          columns={listColumns()}
          rows={tokens.data}
          rowKey={({ id }) => id}
          defaultSort={{ column: 'created', order: 'desc' }}
          renderActions={(token) =>
            token.expired ? null : <RowActions name={token.name} onDelete={() => setDoomed(token)} />
          }
          empty={
            <EmptyState icon={<IconKey size={19} stroke={1.6} />} title={t('tokens.emptyTitle')} action={newButton}>
              {t('tokens.emptyText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />
      )}
      {editing === 'new' && create.data === undefined ? (
        <TokenFormDialog
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(wish) => create.mutate(wish)}
          onClose={closeForm}
        />
      ) : null}
      {/* Whatever the address says by now: it is never seen again. */}
      {create.data === undefined ? null : <NewTokenDialog token={create.data} onClose={closeForm} />}
      <ConfirmDialog
        isOpen={doomed !== undefined}
        title={t('tokens.revokeTitle')}
        confirmLabel={t('tokens.revoke')}
        isBusy={revoke.isPending}
        error={revoke.isError ? describeError(revoke.error) : undefined}
        onConfirm={() => {
          if (doomed !== undefined) handleRevoke(doomed);
        }}
        onClose={closeRevoke}
      >
        {t('tokens.revokeText', { name: doomed?.name ?? '' })}
      </ConfirmDialog>
    </>
  );
}

function listColumns(): Column<ApiToken>[] {
  return [
    {
      id: 'name',
      title: t('tokens.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ name }) => (name === '' ? <Dash /> : name),
    },
    {
      id: 'state',
      title: t('tokens.state'),
      inList: 'side',
      render: ({ expired }) => (
        <Tag {...(expired ? { tone: 'warning' } : {})}>{t(expired ? 'tokens.ended' : 'tokens.good')}</Tag>
      ),
    },
    { id: 'id', title: t('tokens.begins'), mono: true, render: ({ id }) => `${id}…` },
    {
      id: 'created',
      title: t('tokens.created'),
      sortBy: ({ created }) => created,
      render: ({ created }) => <TimeAgo time={created} />,
    },
    {
      id: 'used',
      title: t('tokens.lastUsed'),
      sortBy: ({ last_used }) => last_used,
      render: ({ last_used }) => (last_used === null ? t('tokens.notYet') : <TimeAgo time={last_used} />),
    },
    {
      id: 'expires',
      title: t('tokens.expires'),
      sortBy: ({ expires }) => expires,
      render: ({ expires }) => (expires === null ? t('tokens.never') : <TimeAgo time={expires} />),
    },
  ];
}

import type { Member } from '@signalbox/contract/team';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { membersQuery } from '../../lib/project-lists.ts';
import { currentUserQuery, useProjectAccess } from '../../lib/session.ts';
import { useTableSort } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { showFailure } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { useChangeRole } from './data.ts';
import { LeaveButton } from './leave-button.tsx';
import { listMemberColumns } from './member-columns.tsx';
import { NewMemberDialog } from './new-member-dialog.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';

export function TeamScreen() {
  const projectId = useProjectId();
  const members = useQuery(membersQuery(projectId));
  const { data: user } = useQuery(currentUserQuery);
  const { role, isAdmin, can } = useProjectAccess(projectId);
  const canManage = can('users');
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [editing, setEditing] = useEditing();
  const [leaving, setLeaving] = useState<Member>();
  const changeRole = useChangeRole(projectId, showFailure);
  usePage(t('nav.team'));

  const columns = listMemberColumns({
    userId: user?.id,
    isAdmin,
    onRole: canManage ? (member, next) => changeRole.mutate({ member, role: next }) : undefined,
  });
  /** Nobody takes himself out this way but an administrator; owners are told why. */
  const findReason = (member: Member): string | undefined =>
    member.id === user?.id && !isAdmin ? t('team.ownerStays') : undefined;
  const newButton = canManage ? <NewButton>{t('team.new')}</NewButton> : undefined;

  return (
    <>
      <PageHeader
        title={t('nav.team')}
        beside={canManage ? undefined : <Tag>{t(can('run') ? 'team.canRun' : 'ui.readOnly')}</Tag>}
        actions={
          <>
            {role === '' ? null : <LeaveButton projectId={projectId} isOwner={role === 'owner'} />}
            {newButton}
          </>
        }
      />
      {members.error === null || members.data !== undefined ? (
        <DataTable
          label={t('nav.team')}
          columns={columns}
          rows={members.data}
          rowKey={({ id }) => id}
          hasFixedWidths
          sort={sort}
          onSort={setSort}
          {...(canManage
            ? {
                renderActions: (member: Member) => (
                  <RowActions
                    name={member.name}
                    onDelete={() => setLeaving(member)}
                    deleteReason={findReason(member)}
                  />
                ),
              }
            : {})}
          empty={
            <EmptyState icon={<IconUsers size={19} stroke={1.6} />} title={t('team.emptyTitle')} action={newButton}>
              {t('team.emptyText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={members.error} onRetry={() => void members.refetch()} />
      )}
      {canManage && editing === 'new' ? (
        <NewMemberDialog projectId={projectId} members={members.data ?? []} onClose={() => setEditing(undefined)} />
      ) : null}
      {leaving === undefined ? null : (
        <RemoveMemberDialog projectId={projectId} member={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </>
  );
}

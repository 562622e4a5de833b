import { Select } from '@mantine/core';
import { type RoleName, roles } from '@signalbox/contract/permissions';
import type { Member } from '@signalbox/contract/team';
import { nameRole } from '../../lib/describe-role.ts';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/data-table.tsx';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { Tag } from '../../ui/tag.tsx';
import css from './team.module.css';

type MemberColumns = {
  /** Who reads. */
  userId: number | undefined;
  isAdmin: boolean;
  /** Gives a member another role; undefined for those who may not. */
  onRole: ((member: Member, role: RoleName) => void) | undefined;
};

export function listMemberColumns({ userId, isAdmin, onRole }: MemberColumns): Column<Member>[] {
  return [
    {
      id: 'name',
      title: t('team.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, name }) => (
        <NamedCell
          icon={<InitialsAvatar name={name} size={24} />}
          beside={id === userId ? <Tag>{t('team.you')}</Tag> : undefined}
        >
          <span title={name}>{name}</span>
        </NamedCell>
      ),
    },
    {
      id: 'username',
      title: t('team.username'),
      width: '2fr',
      inList: 'note',
      sortBy: ({ username }) => username,
      render: ({ username }) => <span title={username}>{username}</span>,
    },
    {
      id: 'role',
      title: t('team.role'),
      width: 196,
      inList: 'note',
      // By what a role may do.
      sortBy: ({ role }) => roles.indexOf(role),
      render: (member) => <RoleCell member={member} isOwn={member.id === userId && !isAdmin} onRole={onRole} />,
    },
  ];
}

type RoleCellProps = { member: Member; isOwn: boolean; onRole: MemberColumns['onRole'] };

function RoleCell({ member, isOwn, onRole }: RoleCellProps) {
  if (onRole === undefined) return nameRole(member.role);
  return (
    <Select
      className={css.role}
      size="xs"
      aria-label={t('team.roleOf', { name: member.name })}
      data={roles.map((role) => ({ value: role, label: nameRole(role) }))}
      value={member.role}
      disabled={isOwn}
      title={isOwn ? t('team.ownRole') : undefined}
      onChange={(role) => {
        const chosen = roles.find((name) => name === role);
        if (chosen !== undefined && chosen !== member.role) onRole(member, chosen);
      }}
    />
  );
}

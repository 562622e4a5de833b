import type { CurrentUser, User } from '@signalbox/contract/users';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { UserDialog, type UserTab } from './user-dialog.tsx';

/** What of a user is open: a tab of the dialog, or the one for another password. */
export type UserPart = UserTab | 'password';

function readPart(value: unknown): UserPart {
  return value === 'security' || value === 'password' ? value : 'settings';
}

/** Which part of which user is open over the list, kept in the address (`edit`, `tab`). */
export function useUserTab(): [UserPart, (part: UserPart | undefined, edit?: number | 'same') => void] {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: UserPart | undefined, edit: number | 'same' | undefined = 'same'): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({
        ...before,
        tab: part === 'settings' ? undefined : part,
        ...(part === undefined ? { edit: undefined } : edit === 'same' ? {} : { edit }),
      }),
      replace: part === undefined || edit === 'same',
    });
  return [readPart(tab), change];
}

type UserDialogsProps = {
  user: User | undefined;
  isNew: boolean;
  viewer: CurrentUser;
  tab: UserPart;
  onTab: (tab: UserTab) => void;
  onClose: () => void;
};

/** The dialog that is open over the list of users, if any. */
export function UserDialogs({ user, isNew, viewer, tab, onTab, onClose }: UserDialogsProps) {
  if (user === undefined && !isNew) return null;
  if (user !== undefined && tab === 'password') {
    return <PasswordDialog user={user} isSelf={user.id === viewer.id} onClose={onClose} />;
  }
  return (
    <UserDialog
      key={user?.id ?? 'new'}
      title={t(isNew ? 'users.new' : 'users.edit')}
      user={user}
      viewer={viewer}
      tab={tab === 'security' ? 'security' : 'settings'}
      onTab={onTab}
      onClose={onClose}
    />
  );
}

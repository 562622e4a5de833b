import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { UserDialog } from './user-dialog.tsx';
import type { UserPart } from './user-dialogs.tsx';

/** One's own account over any screen; `account` in the address says which part of it. */
export function AccountDialog({ part }: { part: UserPart }) {
  const { data: viewer } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  const show = (next: UserPart | undefined): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, account: next }),
      replace: true,
    });
  if (viewer === undefined) return null;
  if (part === 'password' && !viewer.external) {
    return <PasswordDialog user={viewer} isSelf onClose={() => show(undefined)} />;
  }
  return (
    <UserDialog
      title={t('users.editAccount')}
      user={viewer}
      viewer={viewer}
      tab={part === 'security' ? 'security' : 'settings'}
      onTab={show}
      onPassword={() => show('password')}
      onClose={() => show(undefined)}
    />
  );
}

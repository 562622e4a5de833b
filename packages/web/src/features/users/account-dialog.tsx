import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { UserDialog, type UserTab } from './user-dialog.tsx';

/** One's own account over any screen; `account` in the address says which tab of it. */
export function AccountDialog({ tab }: { tab: UserTab }) {
  const { data: viewer } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  const show = (next: UserTab | undefined): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, account: next }),
      replace: true,
    });
  if (viewer === undefined) return null;
  return (
    <UserDialog
      title={t('users.editAccount')}
      user={viewer}
      viewer={viewer}
      tab={tab}
      onTab={show}
      onClose={() => show(undefined)}
    />
  );
}

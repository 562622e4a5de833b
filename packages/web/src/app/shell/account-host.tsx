import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

const AccountDialog = lazy(async () => ({
  default: (await import('../../features/users/account-dialog.tsx')).AccountDialog,
}));

/** `account` in an address opens the reader's own account over whatever screen is shown. */
export function AccountHost() {
  const { account } = useSearch({ strict: false });
  if (account !== 'settings' && account !== 'security') return null;
  return (
    <Suspense>
      <AccountDialog tab={account} />
    </Suspense>
  );
}

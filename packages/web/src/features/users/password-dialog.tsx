import { PasswordInput } from '@mantine/core';
import { PasswordChange, type User } from '@signalbox/contract/users';
import { useState } from 'react';
import { findProblems, readServerProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useChangePassword } from './data.ts';

type PasswordDialogProps = { user: User; isSelf: boolean; onClose: () => void };

/** Sets a new password. Other sessions of the user end with it. */
export function PasswordDialog({ user, isSelf, onClose }: PasswordDialogProps) {
  const change = useChangePassword(user.id);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const titles = { password: t('users.password') };
  const refusal = change.isError ? readServerProblems(change.error, titles) : undefined;
  const handleSubmit = (): void => {
    const found = findProblems(PasswordChange, { password }, titles).password;
    setProblem(found);
    if (found !== undefined) return;
    change.mutate(password, {
      onSuccess: () => {
        showSuccess(t('users.passwordChanged', { name: user.name }));
        onClose();
      },
    });
  };
  return (
    <FormDialog
      isOpen
      title={t('users.changePassword')}
      subtitle={t(isSelf ? 'users.ownPasswordHint' : 'users.passwordHint', { name: user.name })}
      submitLabel={t('ui.save')}
      onSubmit={handleSubmit}
      onClose={onClose}
      isBusy={change.isPending}
      isDirty={password !== ''}
      error={refusal?.banner}
    >
      {/* Lets password stores know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordInput
        label={t('users.newPassword')}
        withAsterisk
        data-autofocus
        autoComplete="new-password"
        value={password}
        error={problem ?? refusal?.fields.password}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}

import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { User } from '@signalbox/contract/users';
import { t } from '../../lib/i18n.ts';
import { listLocked, type UserDraft } from './user-draft.ts';

type UserFieldsProps = {
  form: Pick<UseFormReturnType<UserDraft>, 'values' | 'getInputProps'>;
  /** Undefined for a new one. */
  user: User | undefined;
  /** Why the administrator flag cannot be changed here; undefined where it can. */
  adminReason: string | undefined;
};

/** The fields of a user. What is kept elsewhere is shown and cannot be changed. */
export function UserFields({ form, user, adminReason }: UserFieldsProps) {
  const isNew = user === undefined;
  const locked = listLocked(user, form.values);
  const elsewhere = locked.identity ? { description: t('users.externalHint') } : {};
  return (
    <>
      <TextInput label={t('users.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('users.username')}
        withAsterisk
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        disabled={locked.identity}
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('users.email')}
        withAsterisk
        type="email"
        autoComplete="off"
        disabled={locked.identity}
        {...elsewhere}
        {...form.getInputProps('email')}
      />
      {isNew ? (
        <PasswordInput
          label={t('users.password')}
          withAsterisk={!locked.password}
          autoComplete="new-password"
          disabled={locked.password}
          {...form.getInputProps('password')}
        />
      ) : null}
      <Checkbox
        label={t('users.admin')}
        description={adminReason ?? t('users.adminHint')}
        disabled={adminReason !== undefined}
        {...form.getInputProps('admin', { type: 'checkbox' })}
      />
      {isNew ? (
        <Checkbox
          label={t('users.external')}
          description={t('users.newExternalHint')}
          {...form.getInputProps('external', { type: 'checkbox' })}
        />
      ) : null}
      <Checkbox
        label={t('users.alert')}
        description={t('users.alertHint')}
        {...form.getInputProps('alert', { type: 'checkbox' })}
      />
    </>
  );
}

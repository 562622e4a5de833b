import { Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { Key } from '@signalbox/contract/keys';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { KeySave } from './data.ts';
import { draftOf, findKeyProblems, isSecretEditable, type KeyDraft, toKeyInput } from './key-draft.ts';
import { keyTypes } from './key-types.ts';

type KeyFormDialogProps = OpenForm<Key, KeySave>;

export function KeyFormDialog({ value, onSubmit, onClose, isBusy, error }: KeyFormDialogProps) {
  const isNew = value === undefined;
  const form = useForm<KeyDraft>({
    initialValues: draftOf(value),
    validate: (draft) => findKeyProblems(draft, isNew),
  });
  const banner = useRefusal(error, { name: t('keys.name'), type: t('keys.type') }, form.setErrors);
  const canEditSecret = isSecretEditable(form.values, isNew);
  const handleSubmit = form.onSubmit((draft) =>
    onSubmit({
      input: toKeyInput(draft, isNew),
      edited: isNew ? undefined : { id: value.id, override_secret: draft.overrideSecret },
    }),
  );
  return (
    <FormDialog
      isOpen
      title={isNew ? t('keys.new') : t('keys.edit')}
      submitLabel={isNew ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('keys.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('keys.type')}
        withAsterisk
        disabled={!canEditSecret}
        placeholder={t('keys.chooseType')}
        data={Object.entries(keyTypes).map(([type, { title }]) => ({ value: type, label: t(title) }))}
        {...form.getInputProps('type')}
      />
      {isNew ? null : (
        <Checkbox
          label={t('keys.override')}
          description={value.empty === true ? t('keys.emptyHint') : t('keys.overrideHint')}
          {...form.getInputProps('overrideSecret', { type: 'checkbox' })}
        />
      )}
      {canEditSecret ? <SecretFields form={form} /> : null}
    </FormDialog>
  );
}

function SecretFields({ form }: { form: Pick<UseFormReturnType<KeyDraft>, 'values' | 'getInputProps'> }) {
  const { type } = form.values;
  // Secrets of machines, not of the reader: the browser's password store has no business with them.
  const foreign = { autoComplete: 'off', spellCheck: false } as const;
  if (type === 'login_password') {
    return (
      <>
        <TextInput label={t('keys.loginOptional')} {...foreign} {...form.getInputProps('login')} />
        <PasswordInput
          label={t('keys.password')}
          withAsterisk
          {...foreign}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      </>
    );
  }
  if (type === 'ssh') {
    return (
      <>
        <TextInput label={t('keys.usernameOptional')} {...foreign} {...form.getInputProps('login')} />
        <PasswordInput
          label={t('keys.passphraseOptional')}
          {...foreign}
          autoComplete="new-password"
          {...form.getInputProps('passphrase')}
        />
        <Textarea
          label={t('keys.privateKey')}
          withAsterisk
          minRows={6}
          maxRows={10}
          placeholder={t('keys.privateKeyExample')}
          styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12.2 } }}
          {...foreign}
          {...form.getInputProps('privateKey')}
        />
      </>
    );
  }
  return null;
}

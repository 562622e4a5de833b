import { Autocomplete, Checkbox, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { App } from '@signalbox/contract/apps';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { AppIcon, appIconNames } from '../../ui/app-icon.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type AppDraft, draftOf, findAppProblems, listTitles, toAppSave } from './app-draft.ts';
import type { AppSave } from './data.ts';

type AppFormDialogProps = OpenForm<App, AppSave> & {
  /** Ids that are in use. */
  taken: readonly string[];
};

export function AppFormDialog({ value, taken, isBusy, error, onSubmit, onClose }: AppFormDialogProps) {
  const isNew = value === undefined;
  const form = useForm<AppDraft>({
    initialValues: draftOf(value),
    validate: (draft) => findAppProblems(draft, isNew, taken),
  });
  const banner = useRefusal(error, listTitles(), form.setErrors);
  const handleSubmit = form.onSubmit((draft) => onSubmit(toAppSave(draft)));
  const exact = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;
  return (
    <FormDialog
      isOpen
      title={t(isNew ? 'apps.new' : 'apps.edit')}
      submitLabel={t(isNew ? 'ui.create' : 'ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput
        label={t('apps.id')}
        description={isNew ? t('apps.idHint') : undefined}
        withAsterisk
        disabled={!isNew}
        data-autofocus={isNew || undefined}
        {...exact}
        {...form.getInputProps('id')}
      />
      <TextInput label={t('apps.name')} data-autofocus={isNew ? undefined : true} {...form.getInputProps('title')} />
      <Autocomplete
        label={t('apps.icon')}
        data={appIconNames}
        leftSection={<AppIcon app={form.values.icon || form.values.id} />}
        {...form.getInputProps('icon')}
      />
      <TextInput label={t('apps.path')} description={t('apps.pathHint')} {...exact} {...form.getInputProps('path')} />
      <TagsInput
        label={t('apps.args')}
        description={t('ui.argumentsHint')}
        splitChars={[]}
        allowDuplicates
        acceptValueOnBlur
        {...form.getInputProps('args')}
      />
      <TextInput
        label={t('apps.priority')}
        description={t('apps.priorityHint')}
        inputMode="numeric"
        {...form.getInputProps('priority')}
      />
      <Checkbox label={t('apps.active')} {...form.getInputProps('active', { type: 'checkbox' })} />
    </FormDialog>
  );
}

import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Runner, RunnerInput } from '@signalbox/contract/runners';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import {
  draftOf,
  findRunnerProblems,
  listTitles,
  type RunnerDraft,
  renameProblems,
  toRunnerInput,
} from './runner-draft.ts';

type RunnerFormDialogProps = OpenForm<Runner, RunnerInput> & {
  isInProject: boolean;
};

export function RunnerFormDialog({ value, isInProject, isBusy, error, onSubmit, onClose }: RunnerFormDialogProps) {
  const isNew = value === undefined;
  const form = useForm<RunnerDraft>({
    initialValues: draftOf(value),
    validate: (draft) => findRunnerProblems(draft, isInProject),
  });
  const banner = useRefusal(error, listTitles(), (problems) => form.setErrors(renameProblems(problems)));
  const handleSubmit = form.onSubmit((draft) => onSubmit(toRunnerInput(draft)));
  return (
    <FormDialog
      isOpen
      title={t(isNew ? 'runners.new' : 'runners.edit')}
      submitLabel={t(isNew ? 'ui.create' : 'ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('runners.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('runners.tag')}
        description={t(isInProject ? 'runners.tagHintProject' : 'runners.tagHint')}
        withAsterisk={isInProject}
        {...form.getInputProps('tag')}
      />
      <TextInput
        label={t('runners.webhook')}
        description={t('runners.webhookHint')}
        placeholder="https://"
        {...form.getInputProps('webhook')}
      />
      <TextInput label={t('runners.limit')} inputMode="numeric" placeholder="∞" {...form.getInputProps('limit')} />
      <Checkbox
        label={t('runners.active')}
        description={t('runners.activeHint')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}

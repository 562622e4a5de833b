import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Matcher, MatcherInput } from '@signalbox/contract/integration-matchers';
import { t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import {
  findMatcherProblems,
  listMatcherTitles,
  type MatcherDraft,
  matcherDraftOf,
  methodNames,
  toMatcherInput,
} from './part-drafts.ts';
import type { PartSave } from './parts-data.ts';
import { PlaceFields } from './place-fields.tsx';

type MatcherFormDialogProps = {
  /** The matcher that is edited; undefined for a new one. */
  value: Matcher | undefined;
  onSubmit: (save: PartSave<MatcherInput>) => void;
  onClose: () => void;
  isBusy: boolean;
  error: unknown;
};

export function MatcherFormDialog({ value, onSubmit, onClose, isBusy, error }: MatcherFormDialogProps) {
  const form = useForm<MatcherDraft>({ initialValues: matcherDraftOf(value), validate: findMatcherProblems });
  const banner = useRefusal(error, listMatcherTitles(), form.setErrors);
  const errorOf = (field: string): string | undefined =>
    form.errors[field] === undefined ? undefined : String(form.errors[field]);
  const handleSubmit = form.onSubmit((draft) => onSubmit({ id: value?.id, input: toMatcherInput(draft) }));
  const change = (values: Partial<MatcherDraft>): void => {
    form.clearErrors();
    form.setValues(values);
  };
  return (
    <FormDialog
      isOpen
      title={value === undefined ? t('integrations.addMatcher') : t('integrations.editMatcher')}
      submitLabel={value === undefined ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('integrations.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <PlaceFields
        sourceTitle={t('integrations.matchSource')}
        value={form.values}
        errors={{ source: errorOf('match_type'), format: errorOf('body_data_type'), key: errorOf('key') }}
        alwaysHasKey
        onChange={change}
      />
      <Select
        label={t('integrations.method')}
        withAsterisk
        placeholder={t('integrations.choose')}
        data={Object.entries(methodNames).map(([method, title]) => ({ value: method, label: t(title) }))}
        {...form.getInputProps('method')}
      />
      <TextInput
        label={t('integrations.value')}
        withAsterisk
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('value')}
      />
    </FormDialog>
  );
}

import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ExtractedValue, ExtractedValueInput } from '@signalbox/contract/integration-values';
import { t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { findValueProblems, listValueTitles, toValueInput, type ValueDraft, valueDraftOf } from './part-drafts.ts';
import type { PartSave } from './parts-data.ts';
import { PlaceFields } from './place-fields.tsx';

type ValueFormDialogProps = {
  /** The value that is edited; undefined for a new one. */
  value: ExtractedValue | undefined;
  onSubmit: (save: PartSave<ExtractedValueInput>) => void;
  onClose: () => void;
  isBusy: boolean;
  error: unknown;
};

export function ValueFormDialog({ value, onSubmit, onClose, isBusy, error }: ValueFormDialogProps) {
  const form = useForm<ValueDraft>({ initialValues: valueDraftOf(value), validate: findValueProblems });
  const banner = useRefusal(error, listValueTitles(), form.setErrors);
  const errorOf = (field: string): string | undefined =>
    form.errors[field] === undefined ? undefined : String(form.errors[field]);
  const handleSubmit = form.onSubmit((draft) => onSubmit({ id: value?.id, input: toValueInput(draft) }));
  const change = (values: Partial<ValueDraft>): void => {
    form.clearErrors();
    form.setValues(values);
  };
  return (
    <FormDialog
      isOpen
      title={value === undefined ? t('integrations.addValue') : t('integrations.editValue')}
      submitLabel={value === undefined ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('integrations.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <PlaceFields
        sourceTitle={t('integrations.valueSource')}
        value={form.values}
        errors={{ source: errorOf('value_source'), format: errorOf('body_data_type'), key: errorOf('key') }}
        alwaysHasKey={false}
        onChange={change}
      />
      <TextInput
        label={t('integrations.variable')}
        withAsterisk
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('variable')}
      />
    </FormDialog>
  );
}

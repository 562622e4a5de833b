import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ExtractedValue, ExtractedValueInput } from '@signalbox/contract/integration-values';
import { t } from '../../lib/i18n.ts';
import { findValueProblems, listValueTitles, toValueInput, type ValueDraft, valueDraftOf } from './part-drafts.ts';
import { PartFormDialog, type PartFormProps } from './part-form-dialog.tsx';

export function ValueFormDialog({ value, onSubmit, ...rest }: PartFormProps<ExtractedValue, ExtractedValueInput>) {
  const form = useForm<ValueDraft>({ initialValues: valueDraftOf(value), validate: findValueProblems });
  const handleSubmit = form.onSubmit((draft) => onSubmit({ id: value?.id, input: toValueInput(draft) }));
  return (
    <PartFormDialog
      {...rest}
      isNew={value === undefined}
      title={value === undefined ? t('integrations.addValue') : t('integrations.editValue')}
      form={form}
      titles={listValueTitles()}
      sourceField="value_source"
      alwaysHasKey={false}
      onSubmit={() => handleSubmit()}
    >
      <TextInput
        label={t('integrations.variable')}
        withAsterisk
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('variable')}
      />
    </PartFormDialog>
  );
}

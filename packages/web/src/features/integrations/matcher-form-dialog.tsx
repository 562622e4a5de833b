import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Matcher, MatcherInput } from '@signalbox/contract/integration-matchers';
import { t } from '../../lib/i18n.ts';
import {
  findMatcherProblems,
  listMatcherTitles,
  type MatcherDraft,
  matcherDraftOf,
  methodNames,
  toMatcherInput,
} from './part-drafts.ts';
import { PartFormDialog, type PartFormProps } from './part-form-dialog.tsx';

export function MatcherFormDialog({ value, onSubmit, ...rest }: PartFormProps<Matcher, MatcherInput>) {
  const form = useForm<MatcherDraft>({ initialValues: matcherDraftOf(value), validate: findMatcherProblems });
  const handleSubmit = form.onSubmit((draft) => onSubmit({ id: value?.id, input: toMatcherInput(draft) }));
  return (
    <PartFormDialog
      {...rest}
      isNew={value === undefined}
      title={value === undefined ? t('integrations.addMatcher') : t('integrations.editMatcher')}
      form={form}
      titles={listMatcherTitles()}
      sourceField="match_type"
      alwaysHasKey
      onSubmit={() => handleSubmit()}
    >
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
    </PartFormDialog>
  );
}

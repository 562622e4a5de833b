import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Environment } from '@signalbox/contract/environments';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { EnvironmentSave } from './data.ts';
import {
  draftOf,
  type EnvironmentDraft,
  findEnvironmentProblems,
  listTitles,
  toEnvironmentInput,
} from './environment-draft.ts';
import { SecretsField } from './secrets-field.tsx';
import { VariablesField } from './variables-field.tsx';

type EnvironmentFormDialogProps = OpenForm<Environment, EnvironmentSave>;

export function EnvironmentFormDialog({ value, onSubmit, onClose, isBusy, error }: EnvironmentFormDialogProps) {
  // What the form began with: a secret that somebody else adds meanwhile was not taken out here.
  const [stored] = useState(value?.secrets ?? []);
  const form = useForm<EnvironmentDraft>({ initialValues: draftOf(value), validate: findEnvironmentProblems });
  const banner = useRefusal(error, listTitles(), ({ json, ...problems }) =>
    form.setErrors({ ...problems, ...(json === undefined ? {} : { variables: json }) }),
  );
  const handleSubmit = form.onSubmit((draft) => onSubmit({ id: value?.id, input: toEnvironmentInput(draft, stored) }));
  return (
    <FormDialog
      isOpen
      title={value === undefined ? t('environments.new') : t('environments.edit')}
      submitLabel={value === undefined ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('environments.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <VariablesField
        label={t('environments.variables')}
        kind="values"
        value={form.values.variables}
        error={form.errors.variables}
        onChange={(variables) => form.setFieldValue('variables', variables)}
        description={t('environments.variablesHint')}
      />
      <VariablesField
        label={t('environments.env')}
        kind="texts"
        value={form.values.env}
        error={form.errors.env}
        onChange={(env) => form.setFieldValue('env', env)}
      />
      <SecretsField
        value={form.values.secrets}
        error={form.errors.secrets}
        onChange={(secrets) => form.setFieldValue('secrets', secrets)}
      />
    </FormDialog>
  );
}

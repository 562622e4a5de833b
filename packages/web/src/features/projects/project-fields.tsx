import { Checkbox, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '../../lib/i18n.ts';
import type { ProjectDraft } from './project-draft.ts';

type ProjectFieldsProps = { form: Pick<UseFormReturnType<ProjectDraft>, 'getInputProps'>; isDisabled?: boolean };

/** The fields of a project, for the new one and for its settings. */
export function ProjectFields({ form, isDisabled = false }: ProjectFieldsProps) {
  return (
    <>
      <TextInput
        label={t('projects.name')}
        withAsterisk
        data-autofocus
        disabled={isDisabled}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('projects.limitOptional')}
        description={t('projects.limitHint')}
        inputMode="numeric"
        placeholder={t('projects.unlimited')}
        disabled={isDisabled}
        {...form.getInputProps('limit')}
      />
      <TextInput label={t('projects.chat')} disabled={isDisabled} {...form.getInputProps('chat')} />
      <Checkbox
        label={t('projects.alert')}
        disabled={isDisabled}
        {...form.getInputProps('alert', { type: 'checkbox' })}
      />
    </>
  );
}

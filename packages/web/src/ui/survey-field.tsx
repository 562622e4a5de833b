import { PasswordInput, Select, TextInput } from '@mantine/core';
import type { SurveyVariable } from '@signalbox/contract/templates';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';

type SurveyFieldProps = {
  variable: SurveyVariable;
  value: string;
  error: ReactNode;
  onChange: (value: string) => void;
};

/** The field for one question of a template's survey. */
export function SurveyField({ variable, value, error, onChange }: SurveyFieldProps) {
  const { type, title, description, required } = variable;
  const shared = { label: title, withAsterisk: required, error, description: description || undefined };
  if (type === 'enum') {
    return (
      <Select
        {...shared}
        data={listOptions(variable)}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
        allowDeselect={!required}
        clearable={!required}
        searchable={variable.values.length > 8}
        placeholder={t('launch.choose')}
      />
    );
  }
  if (type === 'secret') {
    const hint = description === '' ? t('launch.secretHint') : `${description} ${t('launch.secretHint')}`;
    return (
      <PasswordInput
        {...shared}
        description={hint}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="new-password"
        data-1p-ignore
      />
    );
  }
  return (
    <TextInput
      {...shared}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={type === 'int' ? 'numeric' : 'text'}
      autoComplete="off"
    />
  );
}

/** Two names may stand for one value; a list needs each value once. */
function listOptions({ values }: SurveyVariable): { value: string; label: string }[] {
  const seen = new Set<string>();
  return values
    .filter(({ value }) => !seen.has(value) && seen.add(value))
    .map(({ name, value }) => ({ value, label: name }));
}

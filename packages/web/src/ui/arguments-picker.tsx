import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { usePreference } from '../lib/preferences.ts';

const maxRemembered = 30;

type ArgumentsPickerProps = {
  /** Arguments are remembered for each app by itself. */
  app: string;
  label: string;
  value: string[];
  error: ReactNode;
  onChange: (value: string[]) => void;
};

/** Command line arguments, each by itself; those that were used with the app before are offered. */
export function ArgumentsPicker({ app, label, value, error, onChange }: ArgumentsPickerProps) {
  const [used, setUsed] = usePreference('usedArguments');
  const known = used[app] ?? [];
  const handleChange = (next: string[]): void => {
    const trimmed = next.map((argument) => argument.trim()).filter((argument) => argument !== '');
    const added = trimmed.filter((argument) => !known.includes(argument));
    if (added.length > 0) setUsed({ ...used, [app]: [...added, ...known].slice(0, maxRemembered) });
    onChange(trimmed);
  };
  return (
    <TagsInput
      label={label}
      description={t('ui.argumentsHint')}
      data={known}
      value={value}
      error={error}
      splitChars={[]}
      allowDuplicates
      acceptValueOnBlur
      maxDropdownHeight={220}
      onChange={handleChange}
    />
  );
}

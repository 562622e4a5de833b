import { Select } from '@mantine/core';
import { t } from '../../lib/i18n.ts';

type ChoiceProps = {
  label: string;
  isRequired?: boolean;
  /** What stands in the field while nothing is chosen. */
  placeholder?: string;
  description?: string | undefined;
  options: readonly { id: number; name: string }[];
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
};

/** One object of the project by its name. */
export function Choice(props: ChoiceProps) {
  const { label, isRequired = false, options, value, error, onChange } = props;
  return (
    <Select
      label={label}
      withAsterisk={isRequired}
      description={props.description}
      placeholder={props.placeholder ?? t(isRequired ? 'templates.choose' : 'templates.none')}
      nothingFoundMessage={t('templates.nothingFound')}
      searchable={options.length > 8}
      clearable={!isRequired}
      data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}

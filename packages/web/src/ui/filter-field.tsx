import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

type FilterFieldProps = { label: string; value: string; onChange: (value: string) => void };

/** Narrows the list below it while one types. */
export function FilterField({ label, value, onChange }: FilterFieldProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      leftSection={<IconSearch size={15} stroke={1.7} />}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEditing } from '../lib/dialog-search.ts';

/** Opens the form of a list for a new object. */
export function NewButton({ children }: { children: string }) {
  const [, setEditing] = useEditing();
  return (
    <Button variant="primary" leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setEditing('new')}>
      {children}
    </Button>
  );
}

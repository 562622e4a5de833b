import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { usePreference } from '../lib/preferences.ts';
import type { Column } from './data-table.tsx';

/** The columns that the reader has chosen for a table, and the button to choose them. Kept in this browser. */
export function useColumns<Row>(tableId: string, columns: Column<Row>[]): { shown: Column<Row>[]; chooser: ReactNode } {
  const [hidden, setHidden] = usePreference('hiddenColumns');
  const hiddenHere = hidden[tableId] ?? [];
  const handleToggle = (id: string): void => {
    const next = hiddenHere.includes(id) ? hiddenHere.filter((other) => other !== id) : [...hiddenHere, id];
    setHidden({ ...hidden, [tableId]: next });
  };
  const shown = columns.filter((column) => column.isFixed || !hiddenHere.includes(column.id));
  const chooser = (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconColumns3 size={17} stroke={1.7} />} visibleFrom="md">
          {t('ui.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter((column) => !column.isFixed)
          .map((column) => (
            <Menu.CheckboxItem
              key={column.id}
              checked={!hiddenHere.includes(column.id)}
              onChange={() => handleToggle(column.id)}
            >
              {column.title}
            </Menu.CheckboxItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
  return { shown, chooser };
}

import { Button, TextInput } from '@mantine/core';
import type { SurveyVariable } from '@signalbox/contract/templates';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import css from './form.module.css';
import { moveItem } from './reorder.ts';

type Values = SurveyVariable['values'];
type EnumValuesProps = { values: Values; error: string | undefined; onChange: (values: Values) => void };

/** The answers that an enumeration offers, in the order in which they are offered. */
export function EnumValues({ values, error, onChange }: EnumValuesProps) {
  // A value has nothing that stays the same while it is typed, so that its row is known by a number.
  const [keys, setKeys] = useState(() => values.map((_, at) => at));
  const next = useRef(values.length);
  const addButton = useRef<HTMLButtonElement>(null);
  const rows = values.map((value, at) => ({ ...value, key: keys[at] ?? at, at }));
  const change = (at: number, part: Partial<Values[number]>): void =>
    onChange(values.map((old, other) => (other === at ? { ...old, ...part } : old)));
  const handleMove = (from: number, to: number): void => {
    setKeys(moveItem(keys, from, to));
    onChange(moveItem(values, from, to));
  };
  const handleRemove = (at: number): void => {
    setKeys(keys.filter((_, other) => other !== at));
    onChange(values.filter((_, other) => other !== at));
    // The button that had the focus is gone; without it the keyboard would fall out of the form.
    addButton.current?.focus();
  };
  const handleAdd = (): void => {
    setKeys([...keys, next.current]);
    next.current += 1;
    onChange([...values, { name: '', value: '' }]);
  };
  return (
    <fieldset className={css.values}>
      <legend>{t('templates.values')}</legend>
      {rows.length === 0 ? null : (
        <div className={css.items}>
          <SortableList
            label={t('templates.values')}
            items={rows}
            itemKey={({ key }) => key}
            itemName={({ name, at }) => (name === '' ? t('templates.valueNumber', { number: at + 1 }) : name)}
            onMove={handleMove}
            renderActions={({ at }) => (
              <IconButton
                label={t('templates.removeValue', { number: at + 1 })}
                hint={t('ui.delete')}
                size={28}
                onClick={() => handleRemove(at)}
              >
                <IconTrash size={16} stroke={1.7} />
              </IconButton>
            )}
          >
            {({ name, value, at }) => (
              <>
                <div className={css.value}>
                  <TextInput
                    aria-label={t('templates.valueName', { number: at + 1 })}
                    placeholder={t('templates.valueNameHint')}
                    value={name}
                    onChange={(event) => change(at, { name: event.currentTarget.value })}
                  />
                  <TextInput
                    aria-label={t('templates.valueValue', { number: at + 1 })}
                    placeholder={t('templates.valueValueHint')}
                    value={value}
                    onChange={(event) => change(at, { value: event.currentTarget.value })}
                  />
                </div>
              </>
            )}
          </SortableList>
        </div>
      )}
      {error === undefined ? null : <p className={css.error}>{error}</p>}
      <Button ref={addButton} leftSection={<IconPlus size={16} stroke={1.7} />} onClick={handleAdd}>
        {t('templates.addValue')}
      </Button>
    </fieldset>
  );
}

import { Button } from '@mantine/core';
import type { SurveyVariable } from '@signalbox/contract/templates';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import { Tag } from '../../ui/tag.tsx';
import css from './form.module.css';
import { moveItem } from './reorder.ts';
import { describeSurveyType, SurveyVariableDialog } from './survey-variable-dialog.tsx';

type SurveyEditorProps = {
  value: SurveyVariable[];
  error: string | undefined;
  onChange: (value: SurveyVariable[]) => void;
};

/** The questions that a launch asks, in their order. */
export function SurveyEditor({ value, error, onChange }: SurveyEditorProps) {
  const [editing, setEditing] = useState<number | 'new'>();
  const addButton = useRef<HTMLButtonElement>(null);
  const handleSubmit = (variable: SurveyVariable): void => {
    if (editing === 'new') onChange([...value, variable]);
    else onChange(value.map((old, at) => (at === editing ? variable : old)));
    setEditing(undefined);
  };
  const handleRemove = (at: number): void => {
    onChange(value.filter((_, other) => other !== at));
    // The button that had the focus is gone; without it the keyboard would fall out of the form.
    addButton.current?.focus();
  };
  return (
    <div>
      {value.length === 0 ? null : (
        <div className={css.items}>
          <SortableList
            label={t('templates.survey')}
            items={value}
            itemKey={({ name }) => name}
            itemName={({ title }) => title}
            onMove={(from, to) => onChange(moveItem(value, from, to))}
            renderActions={(variable, at) => (
              <>
                <IconButton
                  label={t('ui.editNamed', { name: variable.title })}
                  hint={t('ui.edit')}
                  size={28}
                  onClick={() => setEditing(at)}
                >
                  <IconPencil size={16} stroke={1.7} />
                </IconButton>
                <IconButton
                  label={t('ui.deleteNamed', { name: variable.title })}
                  hint={t('ui.delete')}
                  size={28}
                  onClick={() => handleRemove(at)}
                >
                  <IconTrash size={16} stroke={1.7} />
                </IconButton>
              </>
            )}
          >
            {(variable, at) => (
              <>
                <button type="button" className={css.itemName} onClick={() => setEditing(at)}>
                  <span>
                    {variable.title}
                    {variable.required ? <span className={css.star}> *</span> : null}
                  </span>
                  <code>{variable.name}</code>
                  <Tag>{describeSurveyType(variable.type)}</Tag>
                </button>
              </>
            )}
          </SortableList>
        </div>
      )}
      {error === undefined ? null : <p className={css.error}>{error}</p>}
      <Button ref={addButton} leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setEditing('new')}>
        {t('templates.addVariable')}
      </Button>
      {editing === undefined ? null : (
        <SurveyVariableDialog
          value={editing === 'new' ? undefined : value[editing]}
          taken={value.filter((_, at) => at !== editing).map(({ name }) => name)}
          onSubmit={handleSubmit}
          onClose={() => setEditing(undefined)}
        />
      )}
    </div>
  );
}

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { SurveyVariable } from '@signalbox/contract/templates';
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
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
  const listRef = useRef<HTMLUListElement>(null);
  const move = (at: number, by: -1 | 1): void => {
    if (at + by < 0 || at + by >= value.length) return;
    onChange(moveItem(value, at, by));
    // The focus goes with the question, so that it can be moved on.
    requestAnimationFrame(() => listRef.current?.querySelectorAll<HTMLElement>('[data-name]')[at + by]?.focus());
  };
  const handleKey = (event: KeyboardEvent, at: number): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(at, event.key === 'ArrowUp' ? -1 : 1);
  };
  const handleSubmit = (variable: SurveyVariable): void => {
    if (editing === 'new') onChange([...value, variable]);
    else onChange(value.map((old, at) => (at === editing ? variable : old)));
    setEditing(undefined);
  };
  return (
    <div>
      {value.length === 0 ? null : (
        <ul className={css.items} ref={listRef}>
          {value.map((variable, at) => (
            <li key={variable.name} className={css.item}>
              <button
                type="button"
                className={css.itemName}
                data-name
                onClick={() => setEditing(at)}
                onKeyDown={(event) => handleKey(event, at)}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              >
                <span>
                  {variable.title}
                  {variable.required ? <span className={css.star}> *</span> : null}
                </span>
                <code>{variable.name}</code>
                <Tag>{describeSurveyType(variable.type)}</Tag>
              </button>
              <Step
                label={t('templates.moveUp', { name: variable.title })}
                isOff={at === 0}
                onClick={() => move(at, -1)}
              >
                <IconArrowUp size={16} stroke={1.7} />
              </Step>
              <Step
                label={t('templates.moveDown', { name: variable.title })}
                isOff={at === value.length - 1}
                onClick={() => move(at, 1)}
              >
                <IconArrowDown size={16} stroke={1.7} />
              </Step>
              <Step label={t('ui.editNamed', { name: variable.title })} onClick={() => setEditing(at)}>
                <IconPencil size={16} stroke={1.7} />
              </Step>
              <Step
                label={t('ui.deleteNamed', { name: variable.title })}
                onClick={() => onChange(value.filter((_, other) => other !== at))}
              >
                <IconTrash size={16} stroke={1.7} />
              </Step>
            </li>
          ))}
        </ul>
      )}
      {error === undefined ? null : <p className={css.error}>{error}</p>}
      <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setEditing('new')}>
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

type StepProps = { label: string; isOff?: boolean; onClick: () => void; children: React.ReactNode };

function Step({ label, isOff = false, onClick, children }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={28} aria-label={label} disabled={isOff} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

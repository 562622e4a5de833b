import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { wordVariablesProblem } from './environment-draft.ts';
import css from './environments.module.css';
import { makeRow, switchToJson, switchToTable, type VariablesDraft, type VariablesKind } from './variables-draft.ts';

type VariablesFieldProps = {
  label: string;
  kind: VariablesKind;
  value: VariablesDraft;
  onChange: (value: VariablesDraft) => void;
  error: ReactNode;
  description?: string;
};

/** An object of variables, edited as a table or as JSON. */
export function VariablesField({ label, kind, value, onChange, error, description }: VariablesFieldProps) {
  // Why the last wish for a table could not be met; the next change of the text may have mended it.
  const [refusal, setRefusal] = useState<string>();
  const handleMode = (mode: string): void => {
    if (mode === value.mode) return;
    const next = mode === 'table' ? switchToTable(value, kind) : switchToJson(value, kind);
    if (typeof next === 'string') return setRefusal(wordVariablesProblem(next));
    setRefusal(undefined);
    onChange(next);
  };
  const shown = refusal ?? error;
  return (
    <section aria-label={label}>
      <div className={css.head}>
        <h3 className={css.label}>{label}</h3>
        <SegmentedControl
          size="xs"
          aria-label={t('environments.mode', { label })}
          value={value.mode}
          onChange={handleMode}
          data={[
            { value: 'table', label: t('environments.table') },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      {value.mode === 'json' ? (
        <CodeEditor
          label={t('environments.jsonOf', { label })}
          isLabelHidden
          language="json"
          rows={6}
          value={value.text}
          error={shown}
          onChange={(text) => {
            setRefusal(undefined);
            onChange({ ...value, text });
          }}
        />
      ) : (
        <>
          <VariablesTable label={label} value={value} onChange={onChange} />
          {shown === undefined ? null : <div className={css.error}>{shown}</div>}
        </>
      )}
      {description === undefined ? null : <p className={css.description}>{description}</p>}
    </section>
  );
}

type VariablesTableProps = Pick<VariablesFieldProps, 'label' | 'value' | 'onChange'>;

function VariablesTable({ label, value, onChange }: VariablesTableProps) {
  const addButton = useRef<HTMLButtonElement>(null);
  const handleRow = (key: number, change: { name?: string; value?: string }): void =>
    onChange({ ...value, rows: value.rows.map((row) => (row.key === key ? { ...row, ...change } : row)) });
  const handleRemove = (key: number): void => {
    onChange({ ...value, rows: value.rows.filter((row) => row.key !== key) });
    // The button that had the focus is gone; without it the keyboard would fall out of the dialog.
    addButton.current?.focus();
  };
  return (
    <div className={css.rows}>
      {value.rows.map((row) => (
        <div key={row.key} className={css.row}>
          <TextInput
            aria-label={t('environments.variableName')}
            placeholder={t('environments.variableName')}
            value={row.name}
            spellCheck={false}
            autoFocus={row.name === '' && row.value === ''}
            onChange={(event) => handleRow(row.key, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t('environments.valueOf', { name: row.name })}
            placeholder={t('environments.value')}
            value={row.value}
            spellCheck={false}
            onChange={(event) => handleRow(row.key, { value: event.currentTarget.value })}
          />
          <IconButton
            label={t('environments.removeVariable', { name: row.name })}
            onClick={() => handleRemove(row.key)}
          >
            <IconX size={16} stroke={1.7} />
          </IconButton>
        </div>
      ))}
      <Button
        ref={addButton}
        className={css.add}
        size="xs"
        leftSection={<IconPlus size={15} stroke={1.7} />}
        aria-label={t('environments.addTo', { label })}
        onClick={() => onChange({ ...value, rows: [...value.rows, makeRow()] })}
      >
        {t('environments.addVariable')}
      </Button>
    </div>
  );
}

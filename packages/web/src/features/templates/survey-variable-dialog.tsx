import { Checkbox, Select, TextInput } from '@mantine/core';
import { SurveyVariable } from '@signalbox/contract/templates';
import { useState } from 'react';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EnumValues } from './enum-values.tsx';

type SurveyType = SurveyVariable['type'];

const types = ['', 'int', 'enum', 'secret'] as const satisfies readonly SurveyType[];
/** A list of choices cannot have the empty text as a value. */
const textType = 'string';

export function describeSurveyType(type: SurveyType): string {
  const words = {
    '': 'templates.surveyString',
    int: 'templates.surveyInteger',
    enum: 'templates.surveyEnum',
    secret: 'templates.surveySecret',
  } as const;
  return t(words[type]);
}

type SurveyVariableDialogProps = {
  value: SurveyVariable | undefined;
  /** Names of the other questions. */
  taken: readonly string[];
  onSubmit: (variable: SurveyVariable) => void;
  onClose: () => void;
};

const empty: SurveyVariable = { name: '', title: '', description: '', type: '', required: false, values: [] };

/** One question of the survey. */
export function SurveyVariableDialog({ value, taken, onSubmit, onClose }: SurveyVariableDialogProps) {
  const [draft, setDraft] = useState(value ?? empty);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const change = (next: Partial<SurveyVariable>): void => setDraft({ ...draft, ...next });
  const handleSubmit = (): void => {
    const trimmed = { ...draft, name: draft.name.trim(), title: draft.title.trim() };
    const variable = { ...trimmed, values: trimmed.type === 'enum' ? trimmed.values : [] };
    const problems = findVariableProblems(variable, taken);
    setErrors(problems);
    if (Object.keys(problems).length === 0) onSubmit(variable);
  };
  return (
    <FormDialog
      isOpen
      title={t(value === undefined ? 'templates.addVariable' : 'templates.editVariable')}
      submitLabel={t(value === undefined ? 'templates.add' : 'ui.ok')}
      onSubmit={handleSubmit}
      onClose={onClose}
      isDirty={draft !== (value ?? empty)}
    >
      <TextInput
        label={t('templates.variableName')}
        description={t('templates.variableNameHint')}
        withAsterisk
        data-autofocus
        value={draft.name}
        error={errors.name}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('templates.variableTitle')}
        description={t('templates.variableTitleHint')}
        withAsterisk
        value={draft.title}
        error={errors.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextInput
        label={t('templates.description')}
        value={draft.description}
        error={errors.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Select
        label={t('templates.variableType')}
        data={types.map((type) => ({ value: type === '' ? textType : type, label: describeSurveyType(type) }))}
        value={draft.type === '' ? textType : draft.type}
        onChange={(type) => change({ type: type === textType ? '' : (types.find((each) => each === type) ?? '') })}
      />
      {draft.type === 'enum' ? (
        <EnumValues values={draft.values} error={errors.values} onChange={(values) => change({ values })} />
      ) : null}
      <Checkbox
        label={t('templates.variableRequired')}
        checked={draft.required}
        onChange={(event) => change({ required: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

export function findVariableProblems(variable: SurveyVariable, taken: readonly string[]): Record<string, string> {
  const problems = findProblems(SurveyVariable, variable, {
    name: t('templates.variableName'),
    title: t('templates.variableTitle'),
    description: t('templates.description'),
    values: t('templates.values'),
  });
  if (problems.name === undefined && taken.includes(variable.name)) problems.name = t('templates.variableTwice');
  return problems;
}

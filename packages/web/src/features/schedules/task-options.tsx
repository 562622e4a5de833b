import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Inventory } from '@signalbox/contract/inventories';
import type { SurveyVariable, Template } from '@signalbox/contract/templates';
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { ArgumentsPicker } from '../../ui/arguments-picker.tsx';
import { TaskParamsFields } from '../../ui/task-params-fields.tsx';
import { findSecretQuestion, listPlainQuestions, type ScheduleDraft } from './schedule-draft.ts';
import css from './task-options.module.css';

type TaskOptionsProps = {
  template: Template;
  inventories: readonly Inventory[];
  form: Pick<
    UseFormReturnType<ScheduleDraft>,
    'values' | 'errors' | 'getInputProps' | 'setFieldValue' | 'clearFieldError'
  >;
  /** Something is set already. */
  isInitiallyOpen: boolean;
};

/** What each task of the schedule gets: answers at once, the rest behind one click. */
export function TaskOptions({ template, inventories, form, isInitiallyOpen }: TaskOptionsProps) {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const { values, setFieldValue } = form;
  const secret = findSecretQuestion(template);
  return (
    <>
      {secret === undefined ? null : (
        <p className={css.warning}>
          <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
          {t('schedules.secretQuestion', { title: secret.title })}
        </p>
      )}
      {listPlainQuestions(template).map((question) => (
        <AnswerField
          key={question.name}
          question={question}
          value={values.answers[question.name] ?? ''}
          error={form.errors[`answers.${question.name}`]}
          onChange={(answer) => {
            form.clearFieldError(`answers.${question.name}`);
            setFieldValue('answers', { ...values.answers, [question.name]: answer });
          }}
        />
      ))}
      <button type="button" className={css.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={15} stroke={1.8} aria-hidden className={css.chevron} />
        {t('schedules.options')}
      </button>
      {isOpen ? (
        <>
          <TextInput
            label={t('tasks.message')}
            {...form.getInputProps('message')}
            error={form.errors['params.message']}
          />
          <Select
            label={t('tasks.inventory')}
            clearable
            allowDeselect
            searchable={inventories.length > 8}
            placeholder={t('schedules.inventoryOfTemplate')}
            data={inventories.map(({ id, name }) => ({ value: String(id), label: name }))}
            {...form.getInputProps('inventory_id')}
            error={form.errors['params.inventory_id']}
          />
          <ArgumentsPicker
            app={template.app}
            label={t('tasks.arguments')}
            value={values.arguments}
            error={form.errors['params.arguments'] === undefined ? undefined : String(form.errors['params.arguments'])}
            onChange={(next) => setFieldValue('arguments', next)}
          />
          <TaskParamsFields
            app={template.app}
            value={values.params}
            onChange={(params) => setFieldValue('params', params)}
          />
        </>
      ) : null}
    </>
  );
}

type AnswerFieldProps = {
  question: SurveyVariable;
  value: string;
  error: ReactNode;
  onChange: (answer: string) => void;
};

function AnswerField({ question, value, error, onChange }: AnswerFieldProps) {
  const { title, description, type, required, values } = question;
  const shared = { label: title, description: description || undefined, withAsterisk: required, error };
  if (type !== 'enum') {
    return (
      <TextInput
        {...shared}
        value={value}
        inputMode={type === 'int' ? 'numeric' : 'text'}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const seen = new Set<string>();
  return (
    <Select
      {...shared}
      // Two names may stand for one value; a list needs each value once.
      data={values
        .filter((each) => !seen.has(each.value) && seen.add(each.value))
        .map((each) => ({ value: each.value, label: each.name }))}
      value={value === '' ? null : value}
      allowDeselect={!required}
      clearable={!required}
      placeholder={t('schedules.chooseAnswer')}
      onChange={(answer) => onChange(answer ?? '')}
    />
  );
}

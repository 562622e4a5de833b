import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Template } from '@signalbox/contract/templates';
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { ArgumentsPicker } from '../../ui/arguments-picker.tsx';
import { SurveyField } from '../../ui/survey-field.tsx';
import options from '../../ui/task-options.module.css';
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
        <SurveyField
          key={question.name}
          variable={question}
          value={values.answers[question.name] ?? ''}
          error={form.errors[`answers.${question.name}`]}
          onChange={(answer) => {
            form.clearFieldError(`answers.${question.name}`);
            setFieldValue('answers', { ...values.answers, [question.name]: answer });
          }}
        />
      ))}
      <button type="button" className={options.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={15} stroke={1.8} aria-hidden className={options.chevron} />
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
            error={form.errors['params.arguments']}
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

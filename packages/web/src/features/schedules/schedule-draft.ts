import { type Schedule, ScheduleInput, type ScheduleParams } from '@signalbox/contract/schedules';
import type { TaskParams } from '@signalbox/contract/tasks';
import type { SurveyVariable, Template } from '@signalbox/contract/templates';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import { readArguments, readObject } from '../../lib/json-text.ts';
import { keepSetParams } from '../../ui/task-params.ts';
import { everyMinute } from './cron-text.ts';
import { readViewerZone } from './next-times.ts';

/** What the form holds; ids are texts, as lists of choices want them. */
export type ScheduleDraft = {
  name: string;
  template_id: string | null;
  cron_format: string;
  timezone: string;
  message: string;
  /** Answers to the survey of the template, by variable. */
  answers: Record<string, string>;
  params: TaskParams;
  inventory_id: string | null;
  arguments: string[];
};

export function draftOf(schedule: Schedule | undefined): ScheduleDraft {
  const params = schedule?.params ?? undefined;
  return {
    name: schedule?.name ?? '',
    template_id: schedule === undefined ? null : String(schedule.template_id),
    cron_format: schedule?.cron_format ?? everyMinute,
    timezone: schedule?.timezone ?? readViewerZone(),
    message: params?.message ?? '',
    answers: readAnswers(params?.environment),
    params: readParams(params?.params),
    inventory_id: params?.inventory_id ? String(params.inventory_id) : null,
    arguments: readArguments(params?.arguments),
  };
}

/** Whether the tasks get anything: then the form opens with it in sight. */
export function hasOptions(schedule: Schedule | undefined): boolean {
  return Object.values(schedule?.params ?? {}).some((value) => value !== undefined && value !== null && value !== '');
}

/** Questions that a schedule can answer: what it holds is readable, so no secret ones. */
export function listPlainQuestions(template: Template | undefined): SurveyVariable[] {
  return (template?.survey_vars ?? []).filter(({ type }) => type !== 'secret');
}

/** Why the template's tasks cannot be started by a schedule at all. */
export function findSecretQuestion(template: Template | undefined): SurveyVariable | undefined {
  return template?.survey_vars.find(({ type, required }) => type === 'secret' && required);
}

export function toScheduleInput(
  draft: ScheduleDraft,
  template: Template | undefined,
  stored: Schedule | undefined,
): ScheduleInput {
  return {
    name: draft.name.trim(),
    template_id: draft.template_id === null ? 0 : Number(draft.template_id),
    cron_format: draft.cron_format.trim(),
    timezone: draft.timezone,
    params: writeOptions(draft, template, stored?.params ?? null),
  };
}

function writeOptions(
  draft: ScheduleDraft,
  template: Template | undefined,
  stored: ScheduleParams | null,
): ScheduleParams | null {
  const answers = listPlainQuestions(template)
    .map(({ name }): [string, string] => [name, (draft.answers[name] ?? '').trim()])
    .filter(([, answer]) => answer !== '');
  const params = keepSetParams(template?.app ?? '', draft.params);
  const options: ScheduleParams = {
    ...(draft.message.trim() === '' ? {} : { message: draft.message.trim() }),
    ...(answers.length === 0 ? {} : { environment: JSON.stringify(Object.fromEntries(answers)) }),
    ...(params === null ? {} : { params }),
    ...(draft.inventory_id === null ? {} : { inventory_id: Number(draft.inventory_id) }),
    ...(draft.arguments.length === 0 ? {} : { arguments: JSON.stringify(draft.arguments) }),
    // The form has no field for it, and another program may have set it.
    ...(stored?.git_branch ? { git_branch: stored.git_branch } : {}),
  };
  return Object.keys(options).length === 0 ? null : options;
}

/** Title of every field that can be refused, by its name on the wire. */
export function listTitles(template: Template | undefined): Record<string, string> {
  return {
    name: t('schedules.name'),
    template_id: t('schedules.template'),
    cron_format: t('schedules.cron'),
    timezone: t('schedules.timezone'),
    'params.message': t('tasks.message'),
    'params.inventory_id': t('tasks.inventory'),
    'params.arguments': t('tasks.arguments'),
    ...Object.fromEntries(listPlainQuestions(template).map(({ name, title }) => [`answers.${name}`, title])),
  };
}

/** Problems by field; answers under `answers.{variable}`. */
export function findScheduleProblems(draft: ScheduleDraft, template: Template | undefined): Record<string, string> {
  const input = toScheduleInput(draft, template, undefined);
  const checked = { ...input, template_id: draft.template_id === null ? undefined : input.template_id };
  const problems = findProblems(ScheduleInput, checked, listTitles(template));
  if (draft.name.trim() === '') problems.name = t('field.required', { field: t('schedules.name') });
  if (input.cron_format === '') problems.cron_format = t('field.required', { field: t('schedules.cron') });
  for (const { name, title, type, required } of listPlainQuestions(template)) {
    const answer = (draft.answers[name] ?? '').trim();
    if (required && answer === '') problems[`answers.${name}`] = t('field.required', { field: title });
    if (type === 'int' && !/^\d*$/.test(answer)) problems[`answers.${name}`] = t('field.notInteger');
  }
  return problems;
}

function readParams(params: ScheduleParams['params']): TaskParams {
  const { limit, tags, skip_tags, ...switches } = params ?? {};
  return { ...switches, limit: readList(limit), tags: readList(tags), skip_tags: readList(skip_tags) };
}

/** The older product sends one text. */
function readList(list: readonly string[] | string | null | undefined): string[] {
  const items = typeof list === 'string' ? list.split(',') : (list ?? []);
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function readAnswers(json: string | null | undefined): Record<string, string> {
  const entries = Object.entries(readObject(json ?? '') ?? {}).map(([name, answer]) => [
    name,
    typeof answer === 'string' ? answer : JSON.stringify(answer),
  ]);
  return Object.fromEntries(entries);
}

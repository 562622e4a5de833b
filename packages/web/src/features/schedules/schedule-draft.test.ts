import type { Schedule } from '@signalbox/contract/schedules';
import type { SurveyVariable, Template } from '@signalbox/contract/templates';
import { describe, expect, test } from 'vitest';
import { draftOf, findScheduleProblems, hasOptions, toScheduleInput } from './schedule-draft.ts';

const question = (name: string, change: Partial<SurveyVariable> = {}): SurveyVariable => ({
  name,
  title: name.toUpperCase(),
  description: '',
  type: '',
  required: false,
  values: [],
  ...change,
});
// Only what the draft reads of a template.
const template = (survey: SurveyVariable[], app = 'ansible') => ({ id: 3, app, survey_vars: survey }) as Template;
const stored: Schedule = {
  id: 1,
  project_id: 1,
  template_id: 3,
  tpl_name: 'Patch',
  name: 'Nightly',
  cron_format: '0 3 * * *',
  timezone: 'Europe/Berlin',
  active: true,
  repository_id: null,
  params: { message: 'By night', environment: '{"size":2}', params: { limit: 'web, db' }, git_branch: 'release' },
  next_run: null,
  last_run: null,
  problem: null,
};

describe('a draft of a schedule', () => {
  test('a new one runs every minute, and has no options', () => {
    expect(draftOf(undefined).cron_format).toBe('* * * * *');
    expect(hasOptions(undefined)).toBe(false);
  });

  test('a stored one gives back what was stored', () => {
    expect(hasOptions(stored)).toBe(true);
    expect(toScheduleInput(draftOf(stored), template([question('size', { type: 'int' })]), stored)).toEqual({
      name: 'Nightly',
      template_id: 3,
      cron_format: '0 3 * * *',
      timezone: 'Europe/Berlin',
      params: {
        message: 'By night',
        environment: '{"size":"2"}',
        params: { limit: ['web', 'db'] },
        git_branch: 'release',
      },
    });
  });

  test('options that another template does not have are left behind', () => {
    const input = toScheduleInput(draftOf(stored), template([], 'bash'), undefined);
    expect(input.params).toEqual({ message: 'By night' });
  });

  test('name, template and cron text are required', () => {
    const draft = { ...draftOf(undefined), cron_format: ' ' };
    expect(findScheduleProblems(draft, undefined)).toMatchObject({
      name: 'Name is required',
      template_id: 'Template is required',
      cron_format: 'Cron is required',
    });
  });

  test('a cron text that cannot be read is refused in the words of the contract', () => {
    const draft = { ...draftOf(stored), cron_format: '61 * * * *' };
    expect(findScheduleProblems(draft, template([])).cron_format).toMatch(/^Cron: "61" is no minute/);
  });

  test('answers are required as at a launch, but for secret ones', () => {
    const survey = [
      question('region', { required: true }),
      question('size', { type: 'int' }),
      question('token', { type: 'secret', required: true }),
    ];
    const draft = { ...draftOf(stored), answers: { size: 'two', token: 'x' } };
    expect(findScheduleProblems(draft, template(survey))).toEqual({
      'answers.region': 'REGION is required',
      'answers.size': 'Must be an integer',
    });
    expect(toScheduleInput(draft, template(survey), undefined).params?.environment).toBe('{"size":"two"}');
  });
});

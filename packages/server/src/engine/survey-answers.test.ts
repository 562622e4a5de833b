import type { SurveyVariable } from '@signalbox/contract/templates';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { checkAnswers } from './survey-answers.ts';

function question(name: string, more: Partial<SurveyVariable> = {}): SurveyVariable {
  return { name, title: name.toUpperCase(), description: '', type: '', required: false, values: [], ...more };
}
const enumQuestion = question('size', { type: 'enum', values: [{ name: 'Small', value: 's' }] });

function check(survey: SurveyVariable[], plain: Record<string, unknown>, secret = {}, allowsOthers = false) {
  try {
    return checkAnswers(survey, { plain, secret }, allowsOthers);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

describe('an answer', () => {
  const cases: [string, SurveyVariable, unknown, unknown][] = [
    ['to a required question is needed', question('a', { required: true }), undefined, 'A is required'],
    ['to a required question is not empty', question('a', { required: true }), '', 'A is required'],
    ['to an optional text may be empty', question('a'), '', { a: '' }],
    ['to a question for a number has digits only', question('a', { type: 'int' }), '12', { a: '12' }],
    ['to a question for a number may be a number', question('a', { type: 'int' }), 12, { a: 12 }],
    ['that is no number is refused', question('a', { type: 'int' }), '1.5', 'A: Must be an integer'],
    ['that is a negative number is refused', question('a', { type: 'int' }), -1, 'A: Must be an integer'],
    ['to an optional number may be left empty', question('a', { type: 'int' }), '', {}],
    ['is one of the values of the question', enumQuestion, 's', { size: 's' }],
    ['by the name of a value is refused', enumQuestion, 'Small', 'SIZE must be one of its values'],
    ['that is an object is refused', question('a'), { b: 1 }, 'A must be a text'],
    ['that is null is none', question('a'), null, {}],
  ];
  test.each(cases)('%s', (_name, variable, answer, expected) => {
    const given = answer === undefined ? {} : { [variable.name]: answer };
    const result = check([variable], given);
    expect(typeof result === 'string' ? result : result.plain).toEqual(expected);
  });
});

describe('a secret question', () => {
  const secret = question('pin', { type: 'secret', required: true });

  test('is answered among the secrets', () => {
    expect(check([secret], {}, { pin: '1234' })).toEqual({ plain: {}, secret: { pin: '1234' } });
  });

  test('that is answered in the open is stored as a secret all the same', () => {
    expect(check([secret], { pin: '1234' })).toEqual({ plain: {}, secret: { pin: '1234' } });
  });

  test('that is required must be answered', () => {
    expect(check([secret], {}, { pin: '' })).toBe('PIN is required');
  });
});

describe('a name outside the survey', () => {
  test('is refused for whoever may only run tasks, in both places', () => {
    expect(check([], { other: 1 })).toContain('"other" is no question');
    expect(check([], {}, { other: '1' })).toContain('"other" is no question');
  });

  test('is passed on for whoever may change the template', () => {
    expect(check([], { other: [1] }, { token: 'x' }, true)).toEqual({ plain: { other: [1] }, secret: { token: 'x' } });
  });
});

test('every wrong answer is told at once', () => {
  const survey = [question('a', { required: true }), question('b', { type: 'int' })];
  try {
    checkAnswers(survey, { plain: { b: 'x' }, secret: {} }, false);
    expect.unreachable();
  } catch (error) {
    expect(error instanceof AppError && error.details).toEqual([
      { path: 'environment.a', message: 'A is required' },
      { path: 'environment.b', message: 'B: Must be an integer' },
    ]);
  }
});

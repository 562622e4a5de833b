import type { SurveyVariable } from '@signalbox/contract/templates';
import { describe, expect, it } from 'vitest';
import { moveItem } from './reorder.ts';
import { findVariableProblems } from './survey-variable-dialog.tsx';
import { matchesFilter } from './use-filter.ts';

describe('moving an item of a list', () => {
  it.each([
    [0, 1, 'bac'],
    [2, -1, 'acb'],
    [0, -1, 'abc'],
    [2, 1, 'abc'],
    [9, 1, 'abc'],
  ] as const)('%i by %i', (from, by, expected) => {
    expect(moveItem(['a', 'b', 'c'], from, by).join('')).toBe(expected);
  });
});

describe('a question of a survey', () => {
  const good: SurveyVariable = {
    name: 'region',
    title: 'Region',
    description: '',
    type: '',
    required: false,
    values: [],
  };

  it.each<[string, Partial<SurveyVariable>, Record<string, string>]>([
    ['is right', {}, {}],
    ['needs a name', { name: '' }, { name: 'Name is required' }],
    ['needs a title', { title: '' }, { title: 'Title is required' }],
    ['has the name of a variable', { name: 'a-b' }, { name: expect.stringContaining('must be a variable name') }],
    ['has a name of its own', { name: 'taken' }, { name: 'Another variable has this name.' }],
    ['needs values when it offers some', { type: 'enum' }, { values: 'Enumeration must have values.' }],
    [
      'needs a name for every value',
      { type: 'enum', values: [{ name: '', value: 'a' }] },
      { values: 'Value name cannot be empty.' },
    ],
    [
      'has every value name once',
      {
        type: 'enum',
        values: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      { values: 'Enumeration values must have unique names.' },
    ],
  ])('%s', (_name, change, expected) => {
    expect(findVariableProblems({ ...good, ...change }, ['taken'])).toEqual(expected);
  });
});

describe('the filter of the template list', () => {
  const template = { name: 'Deploy API', description: 'Rolls out the API', app: 'ansible', playbook: 'deploy/api.yml' };

  it.each([
    ['', true],
    ['deploy', true],
    ['API ansible', true],
    ['yml rolls', true],
    ['deploy web', false],
  ])('%j', (filter, expected) => {
    expect(matchesFilter(template, filter)).toBe(expected);
  });
});

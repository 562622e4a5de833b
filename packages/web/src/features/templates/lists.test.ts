import type { SurveyVariable } from '@signalbox/contract/templates';
import { describe, expect, it } from 'vitest';
import { moveItem } from './reorder.ts';
import { findVariableProblems } from './survey-variable-dialog.tsx';
import { isFiltered, matchesFilter } from './template-filter.ts';
import { findWorkspaceProblems } from './workspace-dialogs.tsx';

describe('moving an item of a list', () => {
  it.each([
    [0, 1, 'bac'],
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [0, -1, 'abc'],
    [2, 3, 'abc'],
    [9, 1, 'abc'],
  ] as const)('from %i to %i', (from, to, expected) => {
    expect(moveItem(['a', 'b', 'c'], from, to).join('')).toBe(expected);
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
    ['needs a name and a title', { name: '', title: '' }, { name: 'Name is required', title: 'Title is required' }],
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
  const template = {
    name: 'Deploy API',
    description: 'Rolls out the API',
    app: 'ansible',
    playbook: 'deploy/api.yml',
    last_task: { status: 'error' as const },
  };
  const none = { q: '', app: '', status: '' };

  it.each([
    [{}, true],
    [{ q: 'deploy' }, true],
    [{ q: 'API ansible' }, true],
    [{ q: 'yml rolls' }, true],
    [{ q: 'deploy web' }, false],
    [{ app: 'ansible' }, true],
    [{ app: 'bash' }, false],
    [{ status: 'error' }, true],
    [{ status: 'success' }, false],
    [{ status: 'none' }, false],
    [{ q: 'deploy', app: 'ansible', status: 'error' }, true],
  ])('%j', (filter, expected) => {
    expect(matchesFilter(template, { ...none, ...filter })).toBe(expected);
  });

  it('finds what was never run', () => {
    expect(matchesFilter({ ...template, last_task: null }, { ...none, status: 'none' })).toBe(true);
  });

  it('is none when nothing but spaces was typed', () => {
    expect(isFiltered({ ...none, q: ' ' })).toBe(false);
    expect(isFiltered({ ...none, app: 'bash' })).toBe(true);
  });
});

describe('a new workspace', () => {
  it.each<[string, string | null, Record<string, string>]>([
    ['staging', '3', {}],
    [' eu-central.1 ', '3', {}],
    ['', null, { inventory: 'Workspace name is required', ssh_key_id: 'SSH key is required' }],
    ['../up', '3', { inventory: expect.stringContaining('Letters, digits') }],
    ['two words', '3', { inventory: expect.stringContaining('Letters, digits') }],
  ])('%j with the key %j', (name, keyId, expected) => {
    expect(findWorkspaceProblems(name, keyId)).toEqual(expected);
  });
});

import { describe, expect, test } from 'vitest';
import {
  draftOf,
  findEnvironmentProblems,
  listOperations,
  type SecretDraft,
  toEnvironmentInput,
} from './environment-draft.ts';

const stored = [
  { id: 5, type: 'var', name: 'db_password', secret: '' },
  { id: 6, type: 'env', name: 'API_TOKEN', secret: '' },
] as const;

function aSecret(change: Partial<SecretDraft>): SecretDraft {
  return { key: 'k', id: undefined, type: 'var', name: 'token', value: 'x', ...change };
}

describe('the secrets of a saved variable group', () => {
  test('that are new are created, removed ones deleted, the others updated', () => {
    const operations = listOperations([aSecret({ id: 5, name: 'db_password', value: '' }), aSecret({})], stored);
    expect(operations).toEqual([
      { id: 6, type: 'env', name: 'API_TOKEN', secret: '', operation: 'delete' },
      { id: 5, type: 'var', name: 'db_password', secret: '', operation: 'update' },
      { type: 'var', name: 'token', secret: 'x', operation: 'create' },
    ]);
  });

  test('need a variable name', () => {
    const draft = { ...draftOf(undefined), name: 'prod', secrets: [aSecret({ name: 'not-a-name' })] };
    expect(findEnvironmentProblems(draft).secrets).toContain('must be a variable name');
  });

  test('need a value when they are new', () => {
    const draft = { ...draftOf(undefined), name: 'prod', secrets: [aSecret({ value: '' })] };
    expect(findEnvironmentProblems(draft)).toEqual({ secrets: 'Value is required' });
  });

  test('keep their stored value without a new one', () => {
    const draft = { ...draftOf(undefined), name: 'prod', secrets: [aSecret({ id: 5, value: '' })] };
    expect(findEnvironmentProblems(draft)).toEqual({});
  });

  test('have names of their own within a type', () => {
    const twice = { ...draftOf(undefined), name: 'prod', secrets: [aSecret({}), aSecret({})] };
    const apart = { ...draftOf(undefined), name: 'prod', secrets: [aSecret({}), aSecret({ type: 'env' })] };
    expect(findEnvironmentProblems(twice)).toHaveProperty('secrets');
    expect(findEnvironmentProblems(apart)).toEqual({});
  });
});

test('a variable group needs a name', () => {
  expect(findEnvironmentProblems(draftOf(undefined))).toEqual({ name: 'Name is required' });
});

test('a variable group is saved with a name and with JSON that can be read', () => {
  const broken = { mode: 'json', rows: [], text: '{' } as const;
  expect(
    findEnvironmentProblems({
      ...draftOf(undefined),
      variables: { ...broken, rows: [] },
      env: { ...broken, rows: [] },
    }),
  ).toEqual({
    name: 'Name is required',
    variables: 'Must be valid JSON',
    env: 'Must be valid JSON',
  });
});

test('a stored variable group that is not changed is saved as it was', () => {
  const environment = { id: 1, project_id: 2, name: 'prod', json: '{"a":"3"}', env: '{"B":"4"}', secrets: [] };
  expect(toEnvironmentInput(draftOf(environment), [])).toEqual({
    name: 'prod',
    json: '{"a":"3"}',
    env: '{"B":"4"}',
    secrets: [],
  });
});

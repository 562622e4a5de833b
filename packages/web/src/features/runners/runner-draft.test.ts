import { describe, expect, test } from 'vitest';
import {
  draftOf,
  findRegistrationProblems,
  findRunnerProblems,
  type RunnerDraft,
  toRegistrationInput,
  toRunnerInput,
} from './runner-draft.ts';

const filled: RunnerDraft = { ...draftOf(undefined), name: 'north', tag: 'dc1' };

describe('a runner', () => {
  test('needs a name, and a tag only inside a project', () => {
    const empty = draftOf(undefined);
    expect(findRunnerProblems(empty, false)).toEqual({ name: 'Name is required' });
    expect(findRunnerProblems(empty, true)).toEqual({ name: 'Name is required', tag: 'Tag is required' });
    expect(findRunnerProblems(filled, true)).toEqual({});
    expect(toRunnerInput(filled).max_parallel_tasks).toBe(0);
  });

  test('without a limit is sent with 0', () => {
    expect(toRunnerInput({ ...filled, limit: ' ' }).max_parallel_tasks).toBe(0);
    expect(toRunnerInput({ ...filled, limit: '8' }).max_parallel_tasks).toBe(8);
  });

  test('has a limit that is a whole number of 0 or more', () => {
    expect(findRunnerProblems({ ...filled, limit: 'many' }, false)).toEqual({ limit: 'Must be an integer' });
    expect(findRunnerProblems({ ...filled, limit: '-1' }, false)).toEqual({ limit: 'Must be 0 or greater' });
  });

  test('is told of tasks at a web address without a password', () => {
    expect(findRunnerProblems({ ...filled, webhook: 'https://a:b@example.com' }, false)).toHaveProperty('webhook');
    expect(findRunnerProblems({ ...filled, webhook: 'https://example.com/wake' }, false)).toEqual({});
  });
});

test('a registration in a project needs a tag, and lives as long as was chosen', () => {
  const draft = { tag: '', limit: '', life: '86400' };
  expect(findRegistrationProblems(draft, true)).toEqual({ tag: 'Tag is required' });
  expect(findRegistrationProblems(draft, false)).toEqual({});
  expect(toRegistrationInput(draft)).toEqual({ tag: '', max_parallel_tasks: 0, expires_in_seconds: 86_400 });
});

import { expect, test } from 'vitest';
import { draftOf, findProjectProblems, toProjectInput } from './project-draft.ts';

test('a project needs a name', () => {
  expect(findProjectProblems({ ...draftOf(undefined), name: ' ' })).toEqual({ name: 'Project name is required' });
});

test.each([
  ['', undefined],
  ['0', undefined],
  ['12', undefined],
  ['1.5', 'Must be an integer'],
  ['four', 'Must be an integer'],
  ['-1', 'Must be 0 or greater'],
])('the limit of parallel tasks %j gives the problem %j', (limit, problem) => {
  expect(findProjectProblems({ ...draftOf(undefined), name: 'a', limit }).limit).toBe(problem);
});

test('an empty limit is saved as 0, an empty chat as none', () => {
  expect(toProjectInput({ ...draftOf(undefined), name: 'a' })).toMatchObject({
    max_parallel_tasks: 0,
    alert_chat: null,
  });
});

import { expect, test } from 'vitest';
import { chooseProject } from './project-choice.ts';

test.each([
  ['the project of the address comes first', [1, 2, 3], 2, 3, 2],
  ['without an address the last used project is opened', [1, 2, 3], undefined, 3, 3],
  ['a project that is gone is passed over', [1, 2], 9, 8, 1],
  ['the first project is opened in a new browser', [4, 5], undefined, null, 4],
  ['without projects there is none to open', [], undefined, 3, undefined],
])('%s', (_, ids, fromRoute, lastUsed, chosen) => {
  expect(chooseProject(ids, fromRoute, lastUsed)).toBe(chosen);
});

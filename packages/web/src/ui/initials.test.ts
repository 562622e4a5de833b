import { expect, test } from 'vitest';
import { chooseAvatarColour, takeInitials } from './initials.ts';

test.each([
  ['Platform infra', 'PI'],
  ['platform', 'PL'],
  ['  web  tier  two ', 'WT'],
  ['x', 'X'],
  ['Ünder öst', 'ÜÖ'],
  ['🚂 train', '🚂T'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(takeInitials(name)).toBe(initials);
});

test('avatar colours cycle red, blue, orange, green', () => {
  expect([1, 2, 3, 4, 5].map(chooseAvatarColour)).toEqual(['red', 'blue', 'orange', 'green', 'red']);
});

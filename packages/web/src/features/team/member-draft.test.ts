import { expect, test } from 'vitest';
import { findMemberProblems } from './member-draft.ts';

test('a new member needs a user and a role', () => {
  expect(findMemberProblems({ user_id: null, role: null })).toEqual({
    user_id: 'User is required',
    role: 'Role is required',
  });
  expect(findMemberProblems({ user_id: '7', role: 'guest' })).toEqual({});
});

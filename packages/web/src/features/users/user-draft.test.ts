import type { User } from '@signalbox/contract/users';
import { describe, expect, test } from 'vitest';
import { draftOf, findUserProblems, toUserSave, type UserDraft } from './user-draft.ts';

const jane: User = {
  id: 7,
  created: '2030-01-01T00:00:00.000Z',
  username: 'jane',
  name: 'Jane Roe',
  email: 'jane@example.com',
  admin: false,
  external: false,
  alert: false,
  totp: null,
};
const filled: UserDraft = { ...draftOf(jane), password: 'a good one' };

describe('a new user', () => {
  test('needs a name, a username, an email and a password', () => {
    expect(findUserProblems(undefined, draftOf(undefined))).toEqual({
      name: 'Name is required',
      username: 'Username is required',
      email: 'Email is required',
      password: 'Password is required',
    });
    expect(findUserProblems(undefined, filled)).toEqual({});
  });

  test('needs no password where he signs in elsewhere, and none is sent', () => {
    const draft = { ...filled, external: true };
    expect(findUserProblems(undefined, { ...draft, password: '' })).toEqual({});
    expect(toUserSave(undefined, draft, true).input).not.toHaveProperty('password');
  });
});

describe('a user who is there', () => {
  test('cannot lose his email', () => {
    expect(findUserProblems(jane, { ...filled, email: ' ' })).toEqual({ email: 'Email is required' });
    expect(findUserProblems({ ...jane, email: '' }, { ...filled, email: '' })).toEqual({});
  });

  test('gets no password from the form', () => {
    expect(toUserSave(jane, filled, true).input).not.toHaveProperty('password');
  });

  test('keeps what comes from elsewhere when he is external', () => {
    const change = toUserSave({ ...jane, external: true }, { ...filled, email: 'x@example.com', name: 'J' }, true);
    expect(change).toEqual({ id: 7, input: { name: 'J', alert: false } });
  });

  test('becomes an administrator only by who may make one', () => {
    expect(toUserSave(jane, { ...filled, admin: true }, true).input).toHaveProperty('admin', true);
    expect(toUserSave(jane, { ...filled, admin: true }, false).input).not.toHaveProperty('admin');
  });
});

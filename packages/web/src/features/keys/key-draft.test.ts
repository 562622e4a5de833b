import { describe, expect, test } from 'vitest';
import { draftOf, findKeyProblems, type KeyDraft, toKeyInput } from './key-draft.ts';

function aDraft(change: Partial<KeyDraft>): KeyDraft {
  return { ...draftOf(undefined), name: 'deploy', ...change };
}

describe('a new key', () => {
  test('needs a name and a type', () => {
    expect(findKeyProblems(aDraft({ name: '  ' }), true)).toEqual({
      name: 'Name is required',
      type: 'Type is required',
    });
  });

  test('of the type SSH needs a private key', () => {
    expect(findKeyProblems(aDraft({ type: 'ssh', privateKey: ' \n' }), true)).toEqual({
      privateKey: 'Private key is required',
    });
  });

  test('of the type login with password needs a password but no login', () => {
    expect(findKeyProblems(aDraft({ type: 'login_password' }), true)).toEqual({ password: 'Password is required' });
    expect(findKeyProblems(aDraft({ type: 'login_password', password: 'x' }), true)).toEqual({});
  });

  test('of the type none carries no secret', () => {
    expect(toKeyInput(aDraft({ type: 'none', password: 'typed before' }), true)).toEqual({
      name: 'deploy',
      type: 'none',
    });
  });

  test('keeps its line feed at the end', () => {
    const input = toKeyInput(aDraft({ type: 'ssh', privateKey: 'BEGIN\nEND' }), true);
    expect(input.ssh?.private_key).toBe('BEGIN\nEND\n');
  });
});

describe('a stored key', () => {
  test('is renamed without its secret', () => {
    const draft = aDraft({ type: 'ssh' });
    expect(findKeyProblems(draft, false)).toEqual({});
    expect(toKeyInput(draft, false)).toEqual({ name: 'deploy', type: 'ssh' });
  });

  test('needs the new secret when the old one is overridden', () => {
    expect(findKeyProblems(aDraft({ type: 'ssh', overrideSecret: true }), false)).toEqual({
      privateKey: 'Private key is required',
    });
  });
});

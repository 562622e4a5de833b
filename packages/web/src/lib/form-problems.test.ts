import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from './failure.ts';
import { findProblems, readServerProblems } from './form-problems.ts';

const Schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'is required'), z.maxLength(5)),
  key_id: z.int().check(z.positive()),
  url: z.string().check(z.refine((url) => url.startsWith('/'), 'is not a repository URL that can be used')),
  list: z.array(z.object({ title: z.string().check(z.minLength(1, 'Value name cannot be empty.')) })),
});
const titles = { name: 'Name', key_id: 'Access key', url: 'URL', list: 'Values' };
const good = { name: 'a', key_id: 1, url: '/x', list: [] };

describe('the problems of a draft', () => {
  test.each([
    ['a missing text', { ...good, name: ' ' }, { name: 'Name is required' }],
    ['a missing id', { ...good, key_id: null }, { key_id: 'Access key is required' }],
    ['a text that is too long', { ...good, name: 'abcdef' }, { name: 'Name is too long' }],
    ['a rule of the contract', { ...good, url: 'x' }, { url: 'URL is not a repository URL that can be used' }],
    ['a wrong type', { ...good, key_id: 'x' }, { key_id: 'Access key is not valid' }],
  ])('are worded for %s', (_, draft, problems) => {
    expect(findProblems(Schema, draft, titles)).toEqual(problems);
  });

  test('of an item belong to the field of its list, in the words of the spec', () => {
    expect(findProblems(Schema, { ...good, list: [{ title: '-' }, { title: '' }] }, titles)).toEqual({
      list: 'Value name cannot be empty.',
    });
  });

  test('are none for a good draft', () => {
    expect(findProblems(Schema, good, titles)).toEqual({});
  });
});

describe('what the server refused', () => {
  const refusal = (details: unknown): ApiError =>
    new ApiError({ status: 400, code: 'invalid', message: 'The request is not valid', details });

  test('stands under the fields that are on the form', () => {
    expect(readServerProblems(refusal([{ path: 'name', message: 'is required' }]), titles)).toEqual({
      fields: { name: 'Name is required' },
      banner: undefined,
    });
  });

  test('stands in the banner where no field is to blame', () => {
    expect(readServerProblems(refusal([{ path: 'project_id', message: 'is odd' }]), titles)).toEqual({
      fields: {},
      banner: 'The request is not valid',
    });
    expect(readServerProblems(refusal(undefined), titles).banner).toBe('The request is not valid');
  });

  test('stays worded when it is no answer of the server', () => {
    expect(readServerProblems(new TypeError('x is undefined'), titles).banner).toBe('Something went wrong.');
  });
});

import type { Integration } from '@signalbox/contract/integrations';
import { describe, expect, test } from 'vitest';
import { draftOf, findIntegrationProblems, toIntegrationInput } from './integration-draft.ts';
import {
  findMatcherProblems,
  findValueProblems,
  matcherDraftOf,
  toMatcherInput,
  toValueInput,
  valueDraftOf,
} from './part-drafts.ts';

const stored: Integration = {
  id: 5,
  project_id: 1,
  name: 'Push',
  template_id: 3,
  auth_method: 'token',
  auth_header: 'X-Token',
  auth_secret_id: 7,
  searchable: true,
  task_params: { dry_run: true, tags: ['web'] },
};

describe('a draft of an integration', () => {
  test('gives back what was stored, its switch too', () => {
    const { id: _, project_id: __, ...input } = stored;
    expect(toIntegrationInput(draftOf(stored), 'ansible', stored)).toEqual(input);
  });

  test('name and template are required', () => {
    expect(findIntegrationProblems(draftOf(undefined))).toEqual({
      name: 'Name is required',
      template_id: 'Template is required',
    });
  });

  test.each(['token', 'hmac'] as const)('%s asks for a header and a key with the secret', (method) => {
    const draft = { ...draftOf(stored), auth_method: method, auth_header: ' ', auth_secret_id: null };
    expect(findIntegrationProblems(draft)).toEqual({
      auth_header: 'Header name is required',
      auth_secret_id: 'Secret key is required',
    });
  });

  test('GitHub asks for a key alone, and has a header of its own', () => {
    const draft = { ...draftOf(stored), auth_method: 'github' as const };
    expect(findIntegrationProblems({ ...draft, auth_secret_id: null })).toEqual({
      auth_secret_id: 'Secret key is required',
    });
    expect(toIntegrationInput(draft, 'ansible', stored)).toMatchObject({ auth_header: '', auth_secret_id: 7 });
  });

  test('without authentication neither header nor key is sent', () => {
    const draft = { ...draftOf(stored), auth_method: 'none' as const };
    expect(toIntegrationInput(draft, 'bash', stored)).toMatchObject({
      auth_method: '',
      auth_header: '',
      auth_secret_id: null,
      task_params: null,
    });
  });
});

describe('a draft of a matcher', () => {
  test('everything is required', () => {
    expect(findMatcherProblems(matcherDraftOf(undefined))).toEqual({
      name: 'Name is required',
      match_type: 'Match source is required',
      method: 'Comparison method is required',
      key: 'Key is required',
      value: 'Value is required',
    });
  });

  test('the format is required of a body', () => {
    const draft = { name: 'a', source: 'body', format: null, key: 'ref', method: 'equals', value: 'x' } as const;
    expect(findMatcherProblems(draft)).toEqual({ body_data_type: 'Body data format is required' });
    expect(toMatcherInput({ ...draft, format: 'json' })).toMatchObject({ match_type: 'body', body_data_type: 'json' });
  });

  test('a header has no format, and a name that HTTP takes', () => {
    const draft = {
      name: 'a',
      source: 'header',
      format: 'json',
      key: 'X Event',
      method: 'equals',
      value: 'x',
    } as const;
    expect(findMatcherProblems(draft)).toEqual({ key: 'Key is not the name of a header' });
    expect(toMatcherInput({ ...draft, key: 'X-Event' }).body_data_type).toBeNull();
  });
});

describe('a draft of an extracted value', () => {
  test('everything is required', () => {
    expect(findValueProblems(valueDraftOf(undefined))).toEqual({
      name: 'Name is required',
      value_source: 'Value source is required',
      key: 'Key is required',
      variable: 'Variable is required',
    });
  });

  test('the format is required of a body, and a key of JSON', () => {
    const draft = { name: 'a', source: 'body', format: null, key: '', variable: 'commit' } as const;
    expect(findValueProblems(draft)).toEqual({
      body_data_type: 'Body data format is required',
      key: 'Key is required',
    });
    expect(findValueProblems({ ...draft, format: 'json' })).toEqual({ key: 'Key is required' });
  });

  test('the body as it is has no key', () => {
    const draft = { name: 'a', source: 'body', format: 'string', key: 'left over', variable: 'all' } as const;
    expect(findValueProblems(draft)).toEqual({});
    expect(toValueInput(draft).key).toBe('');
  });

  test('a variable has the name of one', () => {
    const draft = { name: 'a', source: 'header', format: null, key: 'X-Id', variable: '1 x' } as const;
    expect(findValueProblems(draft).variable).toMatch(/variable name/);
  });
});

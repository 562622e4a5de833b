import { expect, test } from 'vitest';
import { keepSetParams } from './task-params.ts';

test('only the options that an app has are kept', () => {
  const params = { debug: true, plan: true, limit: ['web'] };
  expect(keepSetParams('ansible', params)).toEqual({ debug: true, limit: ['web'] });
  expect(keepSetParams('tofu', params)).toEqual({ plan: true });
  expect(keepSetParams('bash', params)).toBeNull();
});

test('options that say nothing are no options', () => {
  expect(keepSetParams('ansible', { debug: false, limit: [] })).toBeNull();
});

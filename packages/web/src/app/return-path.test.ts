import { expect, test } from 'vitest';
import { readReturnPath } from './return-path.ts';

test.each(['/project/1/keys', '/project/1/templates/3/tasks', '/'])('signing in leads back to %s', (path) => {
  expect(readReturnPath(path)).toBe(path);
});

test.each([
  '//evil.example/x',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/auth/login',
  '',
  undefined,
  7,
])('signing in never leads to %j', (path) => {
  expect(readReturnPath(path)).toBe('/');
});

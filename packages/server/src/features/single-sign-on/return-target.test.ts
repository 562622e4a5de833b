import { describe, expect, test } from 'vitest';
import { failureTarget, readReturnTarget } from './return-target.ts';

const read = (query: string): string => readReturnTarget(new URLSearchParams(query));

describe('a sign-in leads back', () => {
  test.each([
    ['', '/'],
    ['redirect=/project/1/keys', '/project/1/keys'],
    ['redirect=/project/premium', '/project/premium'],
    ['redirect=%2Fproject%2F1%3Ft%3D5%23log', '/project/1?t=5#log'],
    ['new_project=premium', '/?new_project=premium'],
    ['return=/project/1/keys&t=5&sort=name', '/project/1/keys?t=5&sort=name'],
    ['redirect=/a?x=1&y=2', '/a?x=1&y=2'],
    // The reason of the last failure is not carried on.
    ['error=sso_failed&t=5', '/?t=5'],
    ['redirect=/a/../b', '/b'],
  ])('from ?%s to %s', (query, target) => {
    expect(read(query)).toBe(target);
  });
});

describe('a sign-in never leads to another host, nor into another sign-in', () => {
  test.each([
    'https://evil.example',
    'http:evil.example',
    '//evil.example/x',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    'evil.example',
    '@evil.example',
    '',
    '/api/auth/logout',
    '/api',
    '/auth/login',
    '/a/../auth/login',
    `/${'x'.repeat(3000)}`,
  ])('asked for %j', (path) => {
    expect(readReturnTarget(new URLSearchParams({ redirect: path }))).toBe('/');
    expect(readReturnTarget(new URLSearchParams({ return: path }))).toBe('/');
  });
});

test.each([
  ['/', '/auth/login?error=sso_denied'],
  ['/project/1?t=5', '/auth/login?t=5&return=%2Fproject%2F1&error=sso_denied'],
])('a failed sign-in that would have led to %s can be tried again', (target, address) => {
  expect(failureTarget(target, 'sso_denied')).toBe(address);
  expect(readReturnTarget(new URL(address, 'http://own.invalid').searchParams)).toBe(target);
});

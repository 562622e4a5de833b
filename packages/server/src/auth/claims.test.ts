import { describe, expect, test } from 'vitest';
import { isClaimSetting, readClaim, readClaimValues } from './claims.ts';

const claims = {
  sub: 'u-1',
  email: 'ada@example.org',
  given_name: 'Ada',
  family_name: 'Lovelace',
  empty: '',
  id: 123_456_789_012,
  big: 1e22,
  half: 0.5,
  yes: true,
  list: ['a', 'b', 3, {}, ''],
  none: [],
  realm_access: { roles: ['operator'] },
  'https://example.org/groups': ['ops'],
};

describe('a setting that names claims', () => {
  test.each([
    ['email', 'ada@example.org'],
    [' email ', 'ada@example.org'],
    ['missing | email', 'ada@example.org'],
    ['empty|email', 'ada@example.org'],
    ['email|given_name', 'ada@example.org'],
    // Only texts count under a plain name.
    ['id|given_name', 'Ada'],
    ['list', undefined],
    ['yes', undefined],
    ['missing', undefined],
    ['{{ .given_name }} {{ .family_name }}', 'Ada Lovelace'],
    ['{{.given_name}}', 'Ada'],
    ['missing | user-{{ .id }}', 'user-123456789012'],
    ['{{ .big }}', '10000000000000000000000'],
    ['{{ .half }}', '0.5'],
    // An empty template ends the search.
    ['{{ .missing }} | email', undefined],
    ['{{ .list }}|email', undefined],
    // What every object has by itself is no claim.
    ['constructor|toString|__proto__', undefined],
    ['{{ .constructor }}', undefined],
  ])('%s yields %j', (setting, expected) => {
    expect(readClaim(setting, claims)).toBe(expected);
  });

  test.each(['email', 'a | b', '{{ .a }} {{ .b }}', 'x-{{.a}}|b', 'https://example.org/name'])('%s is one', (text) => {
    expect(isClaimSetting(text)).toBe(true);
  });

  test.each(['', 'a|', '{{ if .a }}x{{ end }}', '{{ .a.b }}', '{{ . }}', '{{ .a', '}}'])('%s is none', (text) => {
    expect(isClaimSetting(text)).toBe(false);
  });
});

test.each([
  ['list', ['a', 'b', '3']],
  ['email', ['ada@example.org']],
  ['id', ['123456789012']],
  ['yes', ['true']],
  ['none', []],
  ['missing', []],
  ['realm_access.roles', ['operator']],
  ['realm_access', []],
  ['https://example.org/groups', ['ops']],
  ['realm_access.constructor', []],
])('the values of %s are %j', (name, expected) => {
  expect(readClaimValues(name, claims)).toEqual(expected);
});

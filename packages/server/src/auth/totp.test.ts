import { expect, test } from 'vitest';
import { createRecoveryCode, createTotpSecret, describeTotp, findTimeStep, hashRecoveryCode } from './totp.ts';

/** `12345678901234567890` in base32: the secret of the test vectors of RFC 6238. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
])('at %i seconds the code is that of the RFC', (seconds, code) => {
  expect(findTimeStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test('a clock may be one step wrong in either direction, and no more', () => {
  const step = Math.floor(1_111_111_109 / 30);
  for (const [offset, expected] of [
    [-60, undefined],
    [-30, step],
    [0, step],
    [30, step],
    [60, undefined],
  ] as const) {
    expect(findTimeStep(secret, '081804', (step * 30 + 15 + offset) * 1000), `${offset} s`).toBe(expected);
  }
});

test('another code belongs to no step', () => {
  expect(findTimeStep(secret, '081805', 1_111_111_109_000)).toBeUndefined();
});

test('secrets and recovery codes are never the same twice', () => {
  expect(createTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(createTotpSecret()).not.toBe(createTotpSecret());
  expect(createRecoveryCode()).toMatch(/^([a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/);
  expect(createRecoveryCode()).not.toBe(createRecoveryCode());
});

test('a recovery code may be typed in capitals and without its dashes', () => {
  expect(hashRecoveryCode('ABCD efgh2345')).toBe(hashRecoveryCode('abcd-efgh-2345'));
  expect(hashRecoveryCode('abcd-efgh-2346')).not.toBe(hashRecoveryCode('abcd-efgh-2345'));
});

test('what the app reads names product, user and installation, whatever the user is called', () => {
  const url = new URL(describeTotp(secret, 'a b&secret=x?/:@é', 'ops.example.org:8443'));
  expect(url.protocol).toBe('otpauth:');
  expect(decodeURIComponent(url.pathname)).toContain('a b&secret=x?/:@é@ops.example.org:8443');
  expect(url.searchParams.getAll('secret')).toEqual([secret]);
  expect(url.searchParams.get('issuer')).toBe('Signalbox');
});

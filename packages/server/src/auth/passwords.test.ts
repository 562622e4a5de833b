import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a password fits its own hash and no other', async () => {
  const hash = await hashPassword('pässword');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verifyPassword('pässword', hash)).toBe(true);
  expect(await verifyPassword('passWord', hash)).toBe(false);
  expect(await hashPassword('pässword')).not.toBe(hash);
});

test('nothing fits where there is no hash, or a broken one', async () => {
  expect(await verifyPassword('', null)).toBe(false);
  expect(await verifyPassword('x', undefined)).toBe(false);
  expect(await verifyPassword('x', 'x')).toBe(false);
  expect(await verifyPassword('', '$argon2id$v=19$m=19456,t=2,p=1$$')).toBe(false);
});

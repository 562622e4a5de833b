import { expect, test } from 'vitest';
import { Keyring } from './secrets.ts';

const ring = (...ids: string[]) => new Keyring(ids.map((id) => ({ id, key: Buffer.alloc(32, id) })));
const place = { table: 'key', column: 'secret', id: 7 };

test('a sealed secret opens again, and is another text each time', () => {
  const keyring = ring('a');
  for (const secret of ['', 'hunter2', 'ключ 🔑\u0000\n', 'x'.repeat(100_000)]) {
    const sealed = keyring.seal(secret, place);
    expect(keyring.open(sealed, place)).toBe(secret);
    expect(keyring.seal(secret, place)).not.toBe(sealed);
    expect(sealed).toMatch(/^sb1:a:[A-Za-z0-9+/]+=*$/);
  }
});

test('a sealed secret opens in its own row and column only', () => {
  const keyring = ring('a');
  const sealed = keyring.seal('hunter2', place);
  for (const other of [
    { ...place, id: 8 },
    { ...place, column: 'name' },
    { ...place, table: 'totp' },
  ]) {
    expect(() => keyring.open(sealed, other)).toThrow();
  }
});

test('a sealed secret that was changed does not open', () => {
  const keyring = ring('a');
  const sealed = keyring.seal('hunter2', place);
  const box = Buffer.from(sealed.slice(6), 'base64');
  for (const index of box.keys()) {
    const changed = Buffer.from(box);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => keyring.open(`sb1:a:${changed.toString('base64')}`, place), `byte ${index}`).toThrow();
  }
  for (const text of ['', 'sb1', 'sb1:a:', 'sb1:a:AAAA', `sb2:a:${box.toString('base64')}`, 'hunter2']) {
    expect(() => keyring.open(text, place), text).toThrow();
  }
});

test('the first key of the ring seals, all of them open', () => {
  const old = ring('a').seal('hunter2', place);
  const keyring = ring('b', 'a');
  expect(keyring.open(old, place)).toBe('hunter2');
  expect(keyring.seal('hunter2', place)).toMatch(/^sb1:b:/);
  expect(() => ring('b').open(old, place)).toThrow('The encryption key a is not in the key ring');
});

import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('so many pass in a minute, the next one is told when to come again, and each name has its own count', () => {
  const limit = new RateLimit(2);
  expect([limit.take('a', 0), limit.take('a', 10_000), limit.take('a', 20_000), limit.take('a', 59_500)]).toEqual([
    0, 0, 40, 1,
  ]);
  expect(limit.take('b', 20_000)).toBe(0);
  expect(limit.take('a', 60_000)).toBe(0);
});

test('zero is no limit', () => {
  const limit = new RateLimit(0);
  for (let call = 0; call < 1000; call++) expect(limit.take('a', 0)).toBe(0);
});

test('what is over is forgotten, so that many names do not fill the memory', () => {
  const limit = new RateLimit(1);
  for (let name = 0; name < 20_000; name++) limit.take(String(name), name < 10_000 ? 0 : 60_000);
  expect(limit.take('19999', 60_000)).toBe(60);
  expect(limit.take('0', 60_000)).toBe(0);
});

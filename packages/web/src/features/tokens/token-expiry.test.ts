import { expect, test } from 'vitest';
import { isDayAhead, readExpiry } from './token-expiry.ts';

const noon = new Date('2030-05-01T12:00:00').getTime();

test('a token lives for the chosen number of days, to the end of the chosen day, or for ever', () => {
  expect(readExpiry('30', '', noon)).toBe(new Date(noon + 30 * 86_400_000).toISOString());
  expect(readExpiry('date', '2030-05-02', noon)).toBe(new Date('2030-05-02T23:59:59.999').toISOString());
  expect(readExpiry('never', '2030-05-02', noon)).toBeNull();
});

test('today is a day on which a token can end, yesterday and nonsense are not', () => {
  expect(isDayAhead('2030-05-01', noon)).toBe(true);
  expect(isDayAhead('2030-04-30', noon)).toBe(false);
  expect(isDayAhead('', noon)).toBe(false);
});

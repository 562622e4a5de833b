import { expect, test } from 'vitest';
import { matchesText } from './text-filter.ts';

test('every word of the filter must be somewhere, in any letter case', () => {
  expect(matchesText(['Jane Roe', 'jane@example.com'], 'roe EXAMPLE')).toBe(true);
  expect(matchesText(['Jane Roe', null], 'roe smith')).toBe(false);
  expect(matchesText(['Jane Roe'], '')).toBe(true);
});

import { expect, test } from 'vitest';
import { nextBuildVersion } from './build-version.ts';

const cases: [start: string, previous: string | null, next: string][] = [
  ['1.4.8', null, '1.4.8'],
  ['1.4.8', '', '1.4.8'],
  ['1.4.8', '1.4.9', '1.4.10'],
  ['new-1.4-patch', 'new-1.5-patch', 'new-1.6-patch'],
  ['0', '7', '8'],
  ['2.0.0', '1.9.5', '2.0.0'],
  ['v2-rc1', 'v2-rc1', 'v2-rc2'],
  ['1.0.10', '1.0.3', '1.0.10'],
  ['nightly', 'nightly', 'nightly'],
  ['1.0.0', '1.0.x', '1.0.0'],
  ['1.0.007', '1.0.007', '1.0.8'],
  ['1-a', '1', '1-a'],
  ['20261121130059123', '20261121130059123', '20261121130059124'],
];

test.each(cases)('with start version %s, after %s comes %s', (start, previous, next) => {
  expect(nextBuildVersion(start, previous)).toBe(next);
});

import { expect, test } from 'vitest';
import { readBasePath } from './base-path.ts';

test.each([
  ['http://host/', ''],
  ['http://host/signalbox/', '/signalbox'],
  ['https://host:8443/tools/box/', '/tools/box'],
  ['http://host/signalbox/index.html', '/signalbox'],
])('the base path of %s is %j', (baseUri, path) => {
  expect(readBasePath(baseUri)).toBe(path);
});

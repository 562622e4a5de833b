import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findMissingIds, findMissingTests, listNamedTests } from './named-tests.mjs';

const text = `
| id | fault | test |
| --- | --- | --- |
| W1 | it stops | \`stops the tool\` |
| W2 | it | leaks | \`masks "x"\` |
`;
const named = listNamedTests(text);

test('rows of a table name a test each', () => {
  expect(named).toEqual([
    { id: 'W1', test: 'stops the tool' },
    { id: 'W2', test: 'masks "x"' },
  ]);
});

test('a test that ran under its name, or with what it needs behind it, is there', () => {
  const passed = ['stops the tool (needs root)', 'masks "x"'];
  expect(findMissingTests(named, { passed, skipped: [] })).toEqual([]);
  expect(findMissingTests(named, { passed: ['masks "x"'], skipped: ['stops the tool (needs terraform)'] })).toEqual([]);
});

test('a test that failed, did not run, or has another name is missed', () => {
  const passed = ['stops the tool at once', 'masks'];
  expect(findMissingTests(named, { passed, skipped: [] }).map(({ id }) => id)).toEqual(['W1', 'W2']);
});

test('an id that is not there, or stands twice, is missed', () => {
  expect(findMissingIds([...named, ...named.slice(0, 1)], 'W', 3).map(({ id }) => id)).toEqual(['W1', 'W3']);
});

test('the list of faults is complete', () => {
  const document = readFileSync(new URL('../docs/reliability.md', import.meta.url), 'utf8');
  expect(findMissingIds(listNamedTests(document), 'W', 34)).toEqual([]);
});

test('the list of holes elsewhere is complete', () => {
  const document = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8');
  expect(findMissingIds(listNamedTests(document), 'S', 39)).toEqual([]);
});

test('the list of what the console must do is complete', () => {
  const document = readFileSync(new URL('../docs/console.md', import.meta.url), 'utf8');
  const rows = listNamedTests(document);
  expect([...findMissingIds(rows, 'C', 131), ...findMissingIds(rows, 'P', 144)]).toEqual([]);
});

import { expect, test } from 'vitest';
import { indentJson, parseJson, readArguments, readObject } from './json-text.ts';

test('a text that is no JSON says nothing', () => {
  expect(parseJson('[1, null]')).toEqual([1, null]);
  expect(parseJson('null')).toBeNull();
  expect(parseJson('')).toBeUndefined();
  expect(parseJson('{"half":')).toBeUndefined();
});

test('only an object has members', () => {
  expect(readObject('{"region":"us-east-1","batch":4}')).toEqual({ region: 'us-east-1', batch: 4 });
  for (const text of ['', '[]', 'null', '"text"', '4', 'no JSON']) expect(readObject(text)).toBeUndefined();
});

test('arguments are texts, and none where there is no list of them', () => {
  expect(readArguments('["--limit", 3]')).toEqual(['--limit', '3']);
  for (const text of [null, undefined, '', '{}', '"--limit"', '--limit 3']) expect(readArguments(text)).toEqual([]);
});

test('JSON is indented, and what is none stays as it came', () => {
  expect(indentJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(indentJson('null')).toBe('null');
  expect(indentJson('{"a":')).toBe('{"a":');
});

import { expect, test } from 'vitest';
import { findByPath, toText } from './key-path.ts';

const document = {
  ref: 'refs/heads/main',
  commits: [{ author: { name: 'Ada' } }, { author: { name: 'Lin' } }],
  empty: '',
  nothing: null,
  'with space': 1,
};

test.each([
  ['ref', 'refs/heads/main'],
  ['commits.[0].author.name', 'Ada'],
  ['commits.[1].author.name', 'Lin'],
  ['empty', ''],
  ['with space', '1'],
  ['commits.[1]', '{"author":{"name":"Lin"}}'],
])('%s is %s', (path, text) => {
  expect(toText(findByPath(document, path))).toBe(text);
});

test.each([
  'Ref',
  'ref.x',
  'nothing',
  'nothing.x',
  'commits.[2]',
  'commits.[-1]',
  'commits.[99999999999999999999]',
  'commits.0',
  'commits.length',
  'commits.[0].author.name.length',
  '',
  '.',
  '__proto__',
  'constructor',
  'constructor.name',
  'ref.constructor',
  'commits.__proto__.constructor',
  'toString',
  'commits.map',
])('nothing is found at %j', (path) => {
  expect(toText(findByPath(document, path))).toBeUndefined();
});

test('a position on something that is no array is passed over', () => {
  expect(findByPath(document, '[0].ref')).toBe('refs/heads/main');
  expect(findByPath([{ id: 7 }], '[0].id')).toBe(7);
});

test('a member that the sender calls __proto__ is a member like any other, and changes nothing else', () => {
  const hostile: unknown = JSON.parse('{"__proto__":{"admin":true},"a":{"constructor":"c"}}');
  expect(findByPath(hostile, '__proto__.admin')).toBe(true);
  expect(findByPath(hostile, 'a.constructor')).toBe('c');
  expect(findByPath(hostile, 'admin')).toBeUndefined();
  expect(findByPath({}, 'admin')).toBeUndefined();
});

test.each([
  [4856239453, '4856239453'],
  [1e21, '1000000000000000000000'],
  [-0, '0'],
  [1.5, '1.5'],
  [0.1 + 0.2, '0.30000000000000004'],
  [true, 'true'],
  [false, 'false'],
  [[1, 'a'], '[1,"a"]'],
])('%j is written %s', (value, text) => {
  expect(toText(value)).toBe(text);
});

import { expect, test } from 'vitest';
import { joinVariables } from './job-variables.ts';

test('what the launch says goes over the variable group', () => {
  const joined = joinVariables([
    { plain: { a: 1, b: [1] }, secret: { token: 'group' } },
    { plain: { a: 'launch' }, secret: { token: 'launch' } },
  ]);
  expect(joined).toEqual({ plain: { a: 'launch', b: [1] }, secret: { token: 'launch' } });
});

test('a plain answer replaces a secret of the same name, and a secret answer a plain one', () => {
  const joined = joinVariables([
    { plain: { a: 'plain' }, secret: { b: 'secret' } },
    { plain: { b: 'plain' }, secret: { a: 'secret' } },
  ]);
  expect(joined).toEqual({ plain: { b: 'plain' }, secret: { a: 'secret' } });
});

test('within one source the secret wins', () => {
  expect(joinVariables([{ plain: { a: 'open' }, secret: { a: 'secret' } }])).toEqual({
    plain: {},
    secret: { a: 'secret' },
  });
});

test('a variable may have any name', () => {
  const plain = JSON.parse('{"__proto__": 1, "constructor": 2}');
  expect(Object.entries(joinVariables([{ plain, secret: {} }]).plain)).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
  ]);
});

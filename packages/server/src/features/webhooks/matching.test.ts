import { describe, expect, test } from 'vitest';
import { type Call, readContent } from './call.ts';
import { checkMatchers, extractValues, type Rule } from './matching.ts';

const json = { 'content-type': 'application/json' };

function read(body: string | Buffer, headers: Call['headers'] = json) {
  return readContent({ method: 'POST', headers, body: Buffer.from(body) });
}

function matches(rule: Partial<Rule>, body: string, headers?: Call['headers']): boolean | undefined {
  const whole: Rule = {
    name: 'm',
    match_type: 'body',
    body_data_type: 'json',
    method: 'equals',
    key: 'a',
    value: 'x',
    ...rule,
  };
  return checkMatchers([whole], read(body, headers))[0]?.matched;
}

describe('a matcher', () => {
  test.each([
    ['equals', 'x', '{"a":"x"}', true],
    ['equals', 'x', '{"a":"xx"}', false],
    ['unequals', 'x', '{"a":"y"}', true],
    ['unequals', 'x', '{"a":"x"}', false],
    ['contains', 'x', '{"a":"axb"}', true],
    ['contains', 'x', '{"a":"ab"}', false],
    ['equals', '4856239453', '{"a":4856239453}', true],
    ['equals', 'true', '{"a":true}', true],
    ['equals', '<nil>', '{}', true],
    ['equals', '<nil>', '{"a":null}', true],
    ['equals', '<nil>', 'no JSON', true],
    ['unequals', 'x', '{}', true],
    ['contains', '"b"', '{"a":{"b":1}}', true],
  ] as const)('that %s %j of %j is %j', (method, value, body, expected) => {
    expect(matches({ method, value }, body)).toBe(expected);
  });

  test('on the text takes the whole body, whatever its key says', () => {
    expect(matches({ body_data_type: 'string', key: 'a', method: 'contains', value: ':1' }, '{"a":1}')).toBe(true);
  });

  test('on a header takes it in any letter case; one that is not there is an empty text', () => {
    const headers = { 'x-event': 'push' };
    expect(matches({ match_type: 'header', key: 'X-Event', value: 'push' }, '', headers)).toBe(true);
    expect(matches({ match_type: 'header', key: 'X-Other', method: 'unequals', value: 'push' }, '', headers)).toBe(
      true,
    );
    expect(matches({ match_type: 'header', key: 'constructor', method: 'contains', value: 'n' }, '', headers)).toBe(
      false,
    );
  });

  test('is looked at also after one that does not hold', () => {
    const rule = { name: 'm', match_type: 'body', body_data_type: 'json', method: 'equals', value: '1' } as const;
    const found = checkMatchers(
      [
        { ...rule, key: 'a' },
        { ...rule, key: 'b' },
      ],
      read('{"a":2,"b":1}'),
    );
    expect(found.map(({ matched, actual }) => [matched, actual])).toEqual([
      [false, '2'],
      [true, '1'],
    ]);
  });
});

describe('a body', () => {
  test('of a form is its payload, or else its fields', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect(read(`payload=${encodeURIComponent('{"a":"x"}')}`, form).document).toEqual({ a: 'x' });
    expect(read('a=x&b=y+z', form).document).toEqual({ a: 'x', b: 'y z' });
    expect(read('payload=none&a=x', form).document).toEqual({ payload: 'none', a: 'x' });
    expect(read('__proto__=x', form).text).toBe('__proto__=x');
  });

  test('is JSON whatever its type says, with a byte order mark too', () => {
    expect(read('{"a":1}', { 'content-type': 'text/plain' }).document).toEqual({ a: 1 });
    expect(read('{"a":1}', {}).document).toEqual({ a: 1 });
    expect(read('\uFEFF{"a":1}').document).toEqual({ a: 1 });
  });

  test('of broken UTF-8 is text with replacements', () => {
    expect(read(Buffer.from([0x22, 0xff, 0x22])).document).toBe('\uFFFD');
  });

  test('that is nested too deep, or has huge members, is survived', () => {
    expect(read('['.repeat(1_000_000)).document).toBeUndefined();
    expect(read(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`).document).toBeUndefined();
    const huge = 'k'.repeat(1_000_000);
    expect(matches({ key: 'a', value: 'x' }, JSON.stringify({ [huge]: 1, a: 'x' }))).toBe(true);
  });
});

test('a value that is not there is none, a header that is not there is an empty text', () => {
  const source = { name: 'v', body_data_type: 'json', key: 'x' } as const;
  const found = extractValues(
    [
      { ...source, value_source: 'body', variable: 'a' },
      { ...source, value_source: 'header', variable: 'b' },
      { ...source, value_source: 'body', body_data_type: 'string', variable: 'c' },
    ],
    read('{"y":1}'),
  );
  expect(found.map(({ variable, text }) => [variable, text])).toEqual([
    ['a', undefined],
    ['b', ''],
    ['c', '{"y":1}'],
  ]);
});

test('what no command line could carry is replaced', () => {
  const value = { name: 'v', value_source: 'body', body_data_type: 'json', key: 'a', variable: 'a' } as const;
  const [found] = extractValues([value], read('{"a":"x\\u0000y\\ud800z"}'));
  expect(found?.text).toBe('x\uFFFDy\uFFFDz');
});

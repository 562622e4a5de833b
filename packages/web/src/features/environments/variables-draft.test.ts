import { describe, expect, test } from 'vitest';
import { draftFromText, makeRow, readDraft, switchToJson, switchToTable } from './variables-draft.ts';

function showRows(text: string): [string, string][] {
  return draftFromText(text, 'values').rows.map(({ name, value }) => [name, value]);
}

describe('extra variables', () => {
  test('with flat values are shown as a table', () => {
    expect(draftFromText('{"region":"eu","replicas":3,"on":true,"gap":null}', 'values').mode).toBe('table');
    expect(showRows('{"region":"eu","replicas":3,"on":true,"gap":null}')).toEqual([
      ['region', 'eu'],
      ['replicas', '3'],
      ['on', 'true'],
      ['gap', 'null'],
    ]);
  });

  test('with nested values are shown as JSON', () => {
    expect(draftFromText('{"a":{"b":1}}', 'values')).toMatchObject({
      mode: 'json',
      text: '{\n  "a": {\n    "b": 1\n  }\n}',
    });
  });

  test.each([
    '{"a":"3"}',
    '{"a":3}',
    '{"a":"true"}',
    '{"a":"\\"quoted\\""}',
    '{"a":"1.10"}',
    '{"a":-0.5}',
    '{"a":""}',
    '{"a":" 3 "}',
    '{"a":null,"b":"null"}',
    '{"a":"line\\nline"}',
    '{"__proto__x":"1e3"}',
  ])('%s comes back unchanged from the table', (text) => {
    const draft = draftFromText(text, 'values');
    expect(draft.mode).toBe('table');
    expect(readDraft(draft, 'values')).toEqual({ text });
  });

  test('of several lines stand in quotes, since a field has one line', () => {
    expect(showRows('{"a":"line\\nline"}')).toEqual([['a', '"line\\nline"']]);
  });

  test('with a number of too many digits stay the text that they are', () => {
    const text = '{"id":12345678901234567890}';
    expect(readDraft(draftFromText(text, 'values'), 'values')).toEqual({ text });
  });

  test('go from table to JSON and back', () => {
    const table = draftFromText('{"a":"3","b":4}', 'values');
    const json = switchToJson(table, 'values');
    expect(json.text).toBe('{\n  "a": "3",\n  "b": 4\n}');
    expect(switchToTable(json, 'values')).toMatchObject({ mode: 'table' });
  });

  test('that are no JSON cannot become a table', () => {
    expect(switchToTable({ mode: 'json', rows: [], text: '{"a":' }, 'values')).toBe('bad_json');
    expect(switchToTable({ mode: 'json', rows: [], text: '[1]' }, 'values')).toBe('bad_json');
  });

  test('that are nested cannot become a table', () => {
    expect(switchToTable({ mode: 'json', rows: [], text: '{"a":[1]}' }, 'values')).toBe('nested');
  });

  test('may be empty', () => {
    expect(readDraft({ mode: 'json', rows: [], text: ' ' }, 'values')).toEqual({ text: '{}' });
    expect(readDraft({ mode: 'table', rows: [makeRow()], text: '' }, 'values')).toEqual({ text: '{}' });
  });

  test('need a name, and each another one', () => {
    expect(readDraft({ mode: 'table', rows: [makeRow('', 'x')], text: '' }, 'values')).toBe('name_missing');
    expect(readDraft({ mode: 'table', rows: [makeRow('a'), makeRow(' a')], text: '' }, 'values')).toBe('name_twice');
  });
});

describe('environment variables', () => {
  test('are texts: what looks like a number stays a text', () => {
    const draft = draftFromText('{"PORT":"8080"}', 'texts');
    expect(draft.rows[0]?.value).toBe('8080');
    expect(readDraft(draft, 'texts')).toEqual({ text: '{"PORT":"8080"}' });
  });

  test('refuse values that are no texts', () => {
    expect(readDraft({ mode: 'json', rows: [], text: '{"PORT":8080}' }, 'texts')).toBe('not_text');
  });
});

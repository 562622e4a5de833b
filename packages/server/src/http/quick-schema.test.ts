import { TaskItem } from '@signalbox/contract/tasks';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseQuickly } from './quick-schema.ts';

const Row = z.object({
  id: z.int(),
  tags: z.array(z.object({ name: z.string() })),
  owner: z.nullable(z.object({ name: z.string() })),
  note: z.optional(z.object({ text: z.string() })),
  kind: z._default(z.string(), 'plain'),
});
const row = { id: 1, tags: [{ name: 'a' }], owner: { name: 'b' }, note: { text: 'c' }, kind: 'odd' };

test('it drops what no schema names, at every depth', () => {
  const more = {
    ...row,
    token_hash: 'x',
    tags: [{ name: 'a', secret: 'x' }],
    owner: { name: 'b', password: 'x' },
    note: { text: 'c', key: 'x' },
  };
  expect(parseQuickly(Row, more)).toEqual(row);
  expect(parseQuickly(Row, { id: 1, tags: [], owner: null })).toEqual({ id: 1, tags: [], owner: null, kind: 'plain' });
  expect(
    JSON.stringify(parseQuickly(Row, JSON.parse('{"id":1,"tags":[],"owner":null,"__proto__":{"x":1}}'))),
  ).not.toContain('x');
});

const Odd = z.object({
  name: z.string().check(z.trim(), z.minLength(2)),
  choice: z.union([z.object({ kind: z.literal('a'), a: z.int() }), z.object({ kind: z.literal('b'), b: z.string() })]),
  level: z._default(z.nullable(z.enum(['low', 'high'])), 'low'),
  more: z.optional(z._default(z.array(z.int()).check(z.maxLength(2)), [])),
  facts: z.record(z.string(), z.boolean()),
  any: z.unknown(),
});
const odd = { name: 'ab', choice: { kind: 'a', a: 1 }, level: 'high', more: [1], facts: { x: true }, any: { y: 1 } };

test.each([
  odd,
  { ...odd, name: ' ab ' },
  { ...odd, name: ' a ' },
  { ...odd, choice: { kind: 'b', b: 'x', secret: 1 } },
  { ...odd, choice: { kind: 'b', a: 1 } },
  { ...odd, level: null },
  { ...odd, level: undefined },
  { ...odd, level: 'middle' },
  { ...odd, more: undefined },
  { ...odd, more: [1, 2, 3] },
  { ...odd, more: [1.5] },
  { ...odd, more: [2 ** 53] },
  { ...odd, facts: { x: 1 } },
  { ...odd, any: undefined },
  { name: 'ab', choice: { kind: 'a', a: 1 }, facts: {}, any: 1 },
  { name: 'ab' },
])('it makes of %j what the schema makes of it', (value) => {
  const read = (parse: () => unknown) => {
    try {
      return { data: parse() };
    } catch (error) {
      return { issues: (error as z.core.$ZodError).issues };
    }
  };
  expect(read(() => parseQuickly(Odd, value))).toStrictEqual(read(() => z.parse(Odd, value)));
});

test('what fits as it is is not copied, and nothing is changed in what was given', () => {
  const rows = [row, { ...row, note: undefined }];
  expect(parseQuickly(z.array(Row), rows)).toBe(rows);
  const extra = Object.freeze([Object.freeze({ ...row, token_hash: 'x' })]);
  expect(parseQuickly(z.array(Row), extra)).toEqual([row]);
  expect(extra[0]).toHaveProperty('token_hash');
});

test.each([
  { ...row, id: '1' },
  { ...row, tags: [{ name: 1 }] },
  { ...row, owner: {} },
  { ...row, note: null },
  { ...row, tags: undefined },
  null,
  [],
])('it refuses what the schema refuses: %j', (value) => {
  expect(z.safeParse(Row, value).success).toBe(false);
  expect(() => parseQuickly(Row, value)).toThrow(z.core.$ZodError);
});

test('the task of a list is parsed alike by both', () => {
  const task = { id: 1, status: 'odd', created: 'yesterday' };
  const problems = (parse: () => unknown) => {
    try {
      return parse();
    } catch (error) {
      return (error as z.core.$ZodError).issues;
    }
  };
  expect(problems(() => parseQuickly(TaskItem, task))).toEqual(problems(() => z.parse(TaskItem, task)));
});

import { listRoutes } from '@signalbox/contract/routes';
import { TaskItem } from '@signalbox/contract/tasks';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseQuickly, quicken } from './quick-schema.ts';

const answers = listRoutes().flatMap(({ name, route }) =>
  route.response === undefined ? [] : [[name, route.response]],
);

test.each(answers as [string, z.ZodMiniType][])('the quick form of %s describes the same answer', (_name, schema) => {
  const describe = (type: z.core.$ZodType) => z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' });
  expect(describe(quicken(schema))).toEqual(describe(schema));
});

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

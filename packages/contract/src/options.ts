import * as z from 'zod/mini';
import { Text } from './fields.ts';
import { defineRoute } from './http/route.ts';

/** Words separated by dots. */
export const OptionKey = Text.check(
  z.maxLength(100),
  z.regex(
    /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/,
    'must be words of letters, digits, _ and -, separated by dots',
  ),
);

/** A note that administrators and their programs keep on the server. An empty value removes it. */
export const Option = z.object({ key: OptionKey, value: Text.check(z.maxLength(10_000)) });
export type Option = z.infer<typeof Option>;

export const optionRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/options',
    permission: 'admin',
    summary: 'All options: one object, values by key.',
    response: z.record(z.string(), z.string()),
    status: 200,
  }),
  set: defineRoute({
    method: 'POST',
    path: '/options',
    permission: 'admin',
    summary: 'Stores an option, or removes it with an empty value.',
    body: Option,
    response: Option,
    status: 200,
  }),
};

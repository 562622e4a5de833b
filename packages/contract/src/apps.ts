import * as z from 'zod/mini';
import { ActiveSwitch, Flag, Text } from './fields.ts';
import { defineRoute } from './http/route.ts';

/** The seven tools that come with the product: always there, never deleted, switched off by an administrator. */
export const defaultApps = ['ansible', 'terraform', 'tofu', 'pulumi', 'bash', 'python', 'powershell'] as const;
export type DefaultApp = (typeof defaultApps)[number];

export const App = z.object({
  id: z.string(),
  title: z.string(),
  icon: z.string(),
  color: z.string(),
  dark_color: z.string(),
  /** Command instead of the app's own; empty = its own. */
  path: z.string(),
  args: z.nullable(z.array(z.string())),
  priority: z.int(),
  active: z.boolean(),
});
export type App = z.infer<typeof App>;

/** An app of the operator is an interpreter: without a path, its id is its command. */
export const AppId = z.string().check(
  z.regex(/^[a-z][a-z0-9_.-]{0,49}$/, 'must begin with a small letter and have small letters, digits, _, . and - only'),
  z.refine((id) => !(id in {}), 'is a reserved word'),
);

const Color = Text.check(
  z.maxLength(50),
  z.regex(/^(#[0-9a-fA-F]{3,8}|[a-zA-Z]*)$/, 'must be a colour such as #c8102e'),
);
/** Whatever is missing keeps its value; in a new app it is empty. */
export const AppInput = z.object({
  title: z.optional(Text.check(z.trim(), z.maxLength(100))),
  icon: z.optional(Text.check(z.maxLength(100))),
  color: z.optional(Color),
  dark_color: z.optional(Color),
  path: z.optional(
    Text.check(z.trim(), z.maxLength(1024), z.regex(/^(?!-)[^\r\n]*$/, 'must be a command and not an option')),
  ),
  args: z.optional(z.nullable(z.array(Text.check(z.maxLength(1024))).check(z.maxLength(100)))),
  priority: z.optional(z.int().check(z.minimum(-1_000_000), z.maximum(1_000_000))),
  active: z.optional(Flag),
});
export type AppInput = z.infer<typeof AppInput>;

const AppParams = z.object({ app_id: AppId });

export const appRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/apps',
    permission: 'signed_in',
    summary: 'Apps by priority, highest first, inactive ones included.',
    response: z.array(App),
    status: 200,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/apps/:app_id',
    permission: 'admin',
    summary: 'One app.',
    params: AppParams,
    response: App,
    status: 200,
  }),
  save: defineRoute({
    method: 'PUT',
    path: '/apps/:app_id',
    permission: 'admin',
    summary: 'Changes an app, or adds it.',
    params: AppParams,
    body: AppInput,
    status: 204,
  }),
  saveByPost: defineRoute({
    method: 'POST',
    path: '/apps/:app_id',
    permission: 'admin',
    summary: 'The same as PUT.',
    params: AppParams,
    body: AppInput,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/apps/:app_id',
    permission: 'admin',
    summary: 'Deletes an app that was added and that no template uses.',
    params: AppParams,
    status: 204,
  }),
  setActive: defineRoute({
    method: 'POST',
    path: '/apps/:app_id/active',
    permission: 'admin',
    summary: 'Switches an app on or off. One that is off gets no new templates.',
    params: AppParams,
    body: ActiveSwitch,
    status: 204,
  }),
};

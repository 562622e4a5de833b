import * as z from 'zod/mini';
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

export const appRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/apps',
    permission: 'signed_in',
    summary: 'Apps by priority, highest first, inactive ones included.',
    response: z.array(App),
    status: 200,
  }),
};

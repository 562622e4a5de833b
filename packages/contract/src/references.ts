import * as z from 'zod/mini';
import { Id } from './fields.ts';

const Reference = z.object({ id: Id, name: z.string() });
export type Reference = z.infer<typeof Reference>;

/** What uses an object; asked for before it is deleted, and sent in `details` of a refusal. */
export const References = z.object({
  templates: z.array(Reference),
  inventories: z.array(Reference),
  repositories: z.array(Reference),
  integrations: z.array(Reference),
  schedules: z.array(Reference),
});
export type References = z.infer<typeof References>;

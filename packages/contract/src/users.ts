import * as z from 'zod/mini';
import { Id, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';

export const User = z.object({
  id: Id,
  created: Timestamp,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  external: z.boolean(),
  /** Wants mail about failed tasks. */
  alert: z.boolean(),
});
export type User = z.infer<typeof User>;

export const CurrentUser = z.object({ ...User.shape, can_create_project: z.boolean() });
export type CurrentUser = z.infer<typeof CurrentUser>;

export const userRoutes = {
  current: defineRoute({
    method: 'GET',
    path: '/user',
    permission: 'signed_in',
    summary: 'The signed-in user.',
    response: CurrentUser,
    status: 200,
  }),
};

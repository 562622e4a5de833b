import * as z from 'zod/mini';
import { Id, PathId, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { UserParams } from './users.ts';

/** One browser, or whatever else signed in with a password. */
export const Session = z.object({
  id: Id,
  created: Timestamp,
  /** To the minute. */
  last_active: Timestamp,
  address: z.string(),
  user_agent: z.string(),
  /** False while the second step of the sign-in is open. */
  verified: z.boolean(),
  /** The one that asks. */
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

const SessionParams = z.object({ session_id: PathId });

export const sessionRoutes = {
  listOwn: defineRoute({
    method: 'GET',
    path: '/user/sessions',
    permission: 'signed_in',
    summary: 'Open sessions of the caller, the last active first.',
    response: z.array(Session),
    status: 200,
  }),
  endOwn: defineRoute({
    method: 'DELETE',
    path: '/user/sessions/:session_id',
    permission: 'signed_in',
    summary: 'Ends a session of the caller.',
    params: SessionParams,
    status: 204,
  }),
  list: defineRoute({
    method: 'GET',
    path: '/users/:user_id/sessions',
    permission: 'self',
    summary: 'Open sessions of a user, the last active first.',
    params: UserParams,
    response: z.array(Session),
    status: 200,
  }),
  endAll: defineRoute({
    method: 'DELETE',
    path: '/users/:user_id/sessions',
    permission: 'self',
    summary: 'Ends all sessions of a user but the one that asks.',
    params: UserParams,
    status: 204,
  }),
  end: defineRoute({
    method: 'DELETE',
    path: '/users/:user_id/sessions/:session_id',
    permission: 'self',
    summary: 'Ends a session of a user.',
    params: z.object({ ...UserParams.shape, ...SessionParams.shape }),
    status: 204,
  }),
};

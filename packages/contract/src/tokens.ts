import * as z from 'zod/mini';
import { Id, Text, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';

export const ApiToken = z.object({
  /** The first characters of the token: enough to tell it from others, too few to use it. */
  id: z.string(),
  user_id: Id,
  name: z.string(),
  created: Timestamp,
  /** Null = never. */
  expires: z.nullable(Timestamp),
  /** To the minute; null = not yet. */
  last_used: z.nullable(Timestamp),
  /** It ran out or was revoked. */
  expired: z.boolean(),
});
export type ApiToken = z.infer<typeof ApiToken>;

/**
 * The one answer with the token itself. Old clients take it from `id`, and use that; so in this answer `id` is the whole
 * token too, and `DELETE` accepts it.
 */
export const NewApiToken = z.object({ ...ApiToken.shape, token: z.string() });
export type NewApiToken = z.infer<typeof NewApiToken>;

export const ApiTokenInput = z._default(
  z.object({
    name: z.optional(z.nullable(Text.check(z.trim(), z.maxLength(255)))),
    /** RFC 3339 with any offset, in the future; null = never. */
    expires: z.optional(
      z.nullable(z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' })),
    ),
  }),
  {},
);
export type ApiTokenInput = z.infer<typeof ApiTokenInput>;

export const tokenRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/user/tokens',
    permission: 'signed_in',
    summary: 'API tokens of the caller, the newest first; revoked ones stay listed as expired.',
    response: z.array(ApiToken),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/user/tokens',
    permission: 'signed_in',
    summary: 'Makes an API token with the rights of the caller; it is shown this once.',
    body: ApiTokenInput,
    response: NewApiToken,
    status: 201,
  }),
  revoke: defineRoute({
    method: 'DELETE',
    path: '/user/tokens/:token_id',
    permission: 'signed_in',
    summary: 'Revokes an API token of the caller.',
    params: z.object({ token_id: Text.check(z.maxLength(255)) }),
    status: 204,
  }),
};

import * as z from 'zod/mini';
import { defineRoute } from './http/route.ts';

/**
 * Why a sign-in through a provider ended at the sign-in screen again; in its address as `error`. What a provider said is
 * never among them: it stands in the log.
 *
 * - `sso_failed`: anything else; the log knows
 * - `sso_denied`: the provider, or the person there, said no
 * - `sso_expired`: it took too long, was begun in another browser, or was finished already
 * - `sso_unavailable`: the provider did not answer
 * - `sso_no_email`: the provider tells no e-mail address
 * - `sso_email_unverified`: the provider does not vouch for the e-mail address
 * - `sso_email_taken`: another user has the e-mail address
 */
export const signInFailures = [
  'sso_failed',
  'sso_denied',
  'sso_expired',
  'sso_unavailable',
  'sso_no_email',
  'sso_email_unverified',
  'sso_email_taken',
] as const;
export type SignInFailure = (typeof signInFailures)[number];

const Params = z.object({ provider: z.string() });
/** A path of the console: nothing that a browser could read as another host. */
const ReturnPath = z.string().check(
  z.maxLength(2048),
  z.refine((path) => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path), 'must be a path of this server, such as /project/1'),
);

export const singleSignOnRoutes = {
  begin: defineRoute({
    method: 'GET',
    path: '/auth/oidc/:provider/login',
    permission: 'public',
    summary: 'Goes to a provider to sign in there; other members of the query are kept for the way back.',
    params: Params,
    query: z.object({
      /** Where to go afterwards, below the base path; it may have a query. */
      redirect: z.optional(ReturnPath),
      /** The same, as the console calls it. */
      return: z.optional(ReturnPath),
    }),
    transfer: 'redirect',
    status: 307,
  }),
  finish: defineRoute({
    method: 'GET',
    path: '/auth/oidc/:provider/redirect',
    permission: 'public',
    summary:
      'Where a provider sends the browser back to; goes on to the console, or to the sign-in screen with an error.',
    params: Params,
    transfer: 'redirect',
    status: 307,
  }),
};

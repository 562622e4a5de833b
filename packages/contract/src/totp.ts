import * as z from 'zod/mini';
import { Id, PathId } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { UserParams } from './users.ts';

/** The second step of a sign-in: codes by RFC 6238 (SHA-1, six digits, 30 s), as every authenticator app makes them. */
export const NewTotp = z.object({
  id: Id,
  /** Shown this once, and only where recovery is allowed. */
  recovery_code: z.optional(z.string()),
});
export type NewTotp = z.infer<typeof NewTotp>;

const TotpParams = z.object({ ...UserParams.shape, totp_id: PathId });

export const totpRoutes = {
  enrol: defineRoute({
    method: 'POST',
    path: '/users/:user_id/2fas/totp',
    permission: 'self',
    summary: "Adds a second step to the caller's own sign-in; his other sessions are asked for a code from now on.",
    params: UserParams,
    response: NewTotp,
    status: 201,
  }),
  picture: defineRoute({
    method: 'GET',
    path: '/users/:user_id/2fas/totp/:totp_id/qr',
    permission: 'self',
    summary: 'QR image for the authenticator app, for its owner and until the first code was accepted.',
    params: TotpParams,
    transfer: 'png',
    status: 200,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/users/:user_id/2fas/totp/:totp_id',
    permission: 'self',
    summary: 'Removes the second step of a sign-in.',
    params: TotpParams,
    status: 204,
  }),
};

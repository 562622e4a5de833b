import * as z from 'zod/mini';
import { Text } from './fields.ts';
import { defineRoute } from './http/route.ts';

export const OidcProvider = z.object({ id: z.string(), name: z.string(), color: z.string(), icon: z.string() });
export type OidcProvider = z.infer<typeof OidcProvider>;

export const AuthMethods = z.object({ totp: z.optional(z.object({ allow_recovery: z.boolean() })) });
export type AuthMethods = z.infer<typeof AuthMethods>;

/** What the sign-in screen may offer. */
export const LoginOptions = z.object({
  oidc_providers: z.array(OidcProvider),
  login_with_password: z.boolean(),
  auth_methods: AuthMethods,
  /** The account of a public demo, for everybody who comes by. */
  demo: z.optional(z.object({ login: z.string(), password: z.string() })),
});
export type LoginOptions = z.infer<typeof LoginOptions>;

export const Credentials = z.object({
  /** User name or e-mail address, in any letter case. */
  auth: Text.check(z.minLength(1, 'is required'), z.maxLength(255)),
  password: z.string().check(z.minLength(1, 'is required'), z.maxLength(1024)),
});
export type Credentials = z.infer<typeof Credentials>;

export const Passcode = z.object({
  /** As the authenticator app shows it. */
  passcode: z.string().check(z.trim(), z.regex(/^\d{6}$/, 'must be six digits')),
});

export const RecoveryCode = z.object({
  /** In any letter case, with or without its dashes. */
  recovery_code: Text.check(z.trim(), z.minLength(1, 'is required'), z.maxLength(255)),
});

export const authRoutes = {
  options: defineRoute({
    method: 'GET',
    path: '/auth/login',
    permission: 'public',
    summary: 'What the sign-in screen may offer.',
    response: LoginOptions,
    status: 200,
  }),
  login: defineRoute({
    method: 'POST',
    path: '/auth/login',
    permission: 'public',
    summary: 'Signs in with a password; the answer sets the session cookie.',
    body: Credentials,
    status: 204,
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/auth/logout',
    permission: 'public',
    summary: 'Ends the session on the server and clears its cookie.',
    status: 204,
  }),
  verify: defineRoute({
    method: 'POST',
    path: '/auth/verify',
    permission: 'session',
    summary: 'Second step of a sign-in, with a code of the authenticator app; each code is accepted once.',
    body: Passcode,
    status: 204,
  }),
  recover: defineRoute({
    method: 'POST',
    path: '/auth/recovery',
    permission: 'session',
    summary: 'Second step of a sign-in with the recovery code, which removes the second step from the account.',
    body: RecoveryCode,
    status: 204,
  }),
};

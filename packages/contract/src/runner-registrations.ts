import * as z from 'zod/mini';
import { Id, makeName, ProjectParams, Text, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';

/** What a runner gets that registers with the token: whoever has the token decides nothing of it. */
const terms = {
  tag: z.optional(z.nullable(Text.check(z.trim(), z.maxLength(100)))),
  max_parallel_tasks: z.optional(
    z.nullable(z.int('Must be an integer').check(z.minimum(0, 'Must be 0 or greater'), z.maximum(1_000_000))),
  ),
};

export const RegistrationInput = z.object({
  ...terms,
  /** Between a minute and seven days; an hour where it is not said. */
  expires_in_seconds: z.optional(z.int().check(z.minimum(60), z.maximum(604_800))),
});
export type RegistrationInput = z.infer<typeof RegistrationInput>;

/** A permission to register one runner. The token is seen in this answer only. */
export const Registration = z.object({
  id: Id,
  project_id: z.nullable(Id),
  tag: z.string(),
  /** 0 = unlimited. */
  max_parallel_tasks: z.int(),
  expires: Timestamp,
  token: z.string(),
});
export type Registration = z.infer<typeof Registration>;

export const RegisterRequest = z.object({
  registration_token: z.string().check(z.minLength(1), z.maxLength(200)),
  name: makeName(100),
  /** Raw X25519 public key, base64: tasks are sealed to it. Its private half stays with the runner. */
  public_key: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/, 'must be a raw X25519 key in base64')),
});
export type RegisterRequest = z.infer<typeof RegisterRequest>;

export const RegisteredRunner = z.object({ id: Id, name: z.string(), token: z.string() });
export type RegisteredRunner = z.infer<typeof RegisteredRunner>;

export const runnerRegistrationRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/runner_registrations',
    permission: 'admin',
    summary: 'Makes a token with which one runner for all projects can register itself, once and for a while.',
    body: RegistrationInput,
    response: Registration,
    status: 201,
  }),
  createInProject: defineRoute({
    method: 'POST',
    path: '/project/:project_id/runner_registrations',
    permission: 'resources',
    summary: 'The same for a runner of the project, which needs a tag.',
    params: ProjectParams,
    body: RegistrationInput,
    response: Registration,
    status: 201,
    announced: false,
  }),
  register: defineRoute({
    method: 'POST',
    path: '/internal/runners/register',
    permission: 'public',
    summary: 'Registers the calling runner with a registration token, which is spent by it.',
    body: RegisterRequest,
    response: RegisteredRunner,
    status: 201,
    anyOrigin: true,
  }),
  unregister: defineRoute({
    method: 'POST',
    path: '/internal/runners/unregister',
    permission: 'runner',
    summary: 'Deletes the registration of the calling runner, unless it has tasks in hand.',
    status: 204,
  }),
};

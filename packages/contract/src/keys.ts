import * as z from 'zod/mini';
import { Flag, Id, Name, PathId, ProjectParams, SortQuery, Text } from './fields.ts';
import { defineRoute, largeBodyLimit } from './http/route.ts';
import { References } from './references.ts';

export const KeyType = z.enum(['ssh', 'login_password', 'none']);
export type KeyType = z.infer<typeof KeyType>;

/** Secrets go in and never come out: `empty` says whether one is stored. */
export const Key = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  type: KeyType,
  /** Present and true when no secret is stored although the type has one. */
  empty: z.optional(z.literal(true)),
  /** The members of every kind of secret, always empty: forms of the older product fill in what they find here. */
  login_password: z.object({ login: z.literal(''), password: z.literal('') }),
  ssh: z.object({ login: z.literal(''), passphrase: z.literal(''), private_key: z.literal('') }),
  string: z.literal(''),
  override_secret: z.literal(false),
});
export type Key = z.infer<typeof Key>;

/** What no tool could be given, or would not be stored as it came, is refused here. */
const secretText = Text.check(z.maxLength(1024 * 1024));
export const LoginPassword = z.object({
  login: z._default(secretText, ''),
  password: z._default(secretText, ''),
});
export type LoginPassword = z.infer<typeof LoginPassword>;
export const SshKey = z.object({
  login: z._default(secretText, ''),
  passphrase: z._default(secretText, ''),
  private_key: z._default(secretText, ''),
});
export type SshKey = z.infer<typeof SshKey>;

export const KeyInput = z.object({
  project_id: z.optional(Id),
  name: Name,
  type: KeyType,
  login_password: z.optional(z.nullable(LoginPassword)),
  ssh: z.optional(z.nullable(SshKey)),
});
export type KeyInput = z.infer<typeof KeyInput>;

/** Without `override_secret` only the name changes. */
export const KeyChange = z.object({
  ...KeyInput.shape,
  id: Id,
  type: z.optional(KeyType),
  override_secret: z.optional(Flag),
});
export type KeyChange = z.infer<typeof KeyChange>;

const KeyParams = z.object({ ...ProjectParams.shape, key_id: PathId });

export const keyRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/keys',
    permission: 'member',
    summary: 'Keys of the project, without their secrets.',
    params: ProjectParams,
    query: SortQuery,
    response: z.array(Key),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/keys',
    permission: 'resources',
    summary: 'Stores a key.',
    params: ProjectParams,
    body: KeyInput,
    bodyLimit: largeBodyLimit,
    response: Key,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/keys/:key_id',
    permission: 'member',
    summary: 'One key, without its secret.',
    params: KeyParams,
    response: Key,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/keys/:key_id/refs',
    permission: 'member',
    summary: 'What uses the key.',
    params: KeyParams,
    response: References,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/keys/:key_id',
    permission: 'resources',
    summary: 'Renames a key, or replaces its secret with override_secret.',
    params: KeyParams,
    body: KeyChange,
    bodyLimit: largeBodyLimit,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/keys/:key_id',
    permission: 'resources',
    summary: 'Deletes a key that nothing uses.',
    params: KeyParams,
    status: 204,
  }),
};

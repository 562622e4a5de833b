import * as z from 'zod/mini';
import { Flag, Id, Name, PathId, Text, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';

export const User = z.object({
  id: Id,
  created: Timestamp,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  /** Signs in elsewhere (LDAP, OIDC): no password here, and user name and e-mail address come from there. */
  external: z.boolean(),
  /** Wants mail about failed tasks. */
  alert: z.boolean(),
  /** The second step of his sign-in; null where he has none. */
  totp: z.nullable(z.object({ id: Id })),
});
export type User = z.infer<typeof User>;

export const CurrentUser = z.object({ ...User.shape, can_create_project: z.boolean() });
export type CurrentUser = z.infer<typeof CurrentUser>;

/** What everybody may know of everybody, so that members can be chosen by name. */
export const UserName = z.object({ id: Id, username: z.string(), name: z.string() });
export type UserName = z.infer<typeof UserName>;

/** These texts are printed on terminals and become headers of mails. */
const PlainName = Name.check(z.refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters'));
const emailPattern = /^[^\s\p{Cc}@<>,;:"()[\]\\]+@[^\s\p{Cc}@<>,;:"()[\]\\]+$/u;
const EmailText = Text.check(z.trim(), z.maxLength(255));
const Email = EmailText.check(z.minLength(1, 'is required'), z.regex(emailPattern, 'must be an e-mail address'));
const Password = z.string().check(
  z.maxLength(1024),
  z.refine((text) => text.trim() !== '', 'is required'),
);
/** Forms send an empty text for a password that stays as it is. */
const MaybePassword = z.optional(z.nullable(z.union([z.literal(''), Password])));

export const UserInput = z.object({
  username: PlainName,
  name: PlainName,
  email: Email,
  /** Required unless the user is external, who has none here. */
  password: MaybePassword,
  admin: z.optional(Flag),
  external: z.optional(Flag),
  alert: z.optional(Flag),
});
export type UserInput = z.infer<typeof UserInput>;

/** What is left out stays as it is; so does an empty password, and an empty address of a user who never had one. */
export const UserChange = z.object({
  username: z.optional(PlainName),
  name: z.optional(PlainName),
  email: z.optional(z.union([z.literal(''), Email])),
  password: MaybePassword,
  admin: z.optional(Flag),
  alert: z.optional(Flag),
});
export type UserChange = z.infer<typeof UserChange>;

export const PasswordChange = z.object({ password: Password });

export const UserParams = z.object({ user_id: PathId });

export const userRoutes = {
  current: defineRoute({
    method: 'GET',
    path: '/user',
    permission: 'signed_in',
    summary: 'The signed-in user.',
    response: CurrentUser,
    status: 200,
  }),
  list: defineRoute({
    method: 'GET',
    path: '/users',
    permission: 'signed_in',
    summary: 'All users by name; whole records for administrators, id and names for everybody else.',
    response: z.array(z.union([User, UserName])),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/users',
    permission: 'admin',
    summary: 'Adds a user.',
    body: UserInput,
    response: User,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/users/:user_id',
    permission: 'self',
    summary: 'One user.',
    params: UserParams,
    response: User,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/users/:user_id',
    permission: 'self',
    summary: 'Changes a user. Nobody changes his own admin flag.',
    params: UserParams,
    body: UserChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/users/:user_id',
    permission: 'self',
    summary: 'Deletes a user who is neither the last administrator nor the last owner of a project.',
    params: UserParams,
    status: 204,
  }),
  changePassword: defineRoute({
    method: 'POST',
    path: '/users/:user_id/password',
    permission: 'self',
    summary: "Sets a new password and ends the user's other sessions.",
    params: UserParams,
    body: PasswordChange,
    status: 204,
  }),
};

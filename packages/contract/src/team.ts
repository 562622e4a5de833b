import * as z from 'zod/mini';
import { Id, PathId, ProjectParams, SortQuery } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { RoleName } from './permissions.ts';

/** A person in a project: no address and no flag of the account, which every member of the project would see. */
export const Member = z.object({
  /** Of the user. */
  id: Id,
  /** The same, as the form that adds a member calls it. */
  user_id: Id,
  username: z.string(),
  name: z.string(),
  role: RoleName,
});
export type Member = z.infer<typeof Member>;

export const MemberInput = z.object({ user_id: Id, role: RoleName });
export type MemberInput = z.infer<typeof MemberInput>;

/** Clients send the whole member; only the role counts. */
export const MemberChange = z.object({ role: RoleName });
export type MemberChange = z.infer<typeof MemberChange>;

const MemberParams = z.object({ ...ProjectParams.shape, user_id: PathId });

export const teamRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/users',
    permission: 'member',
    summary: 'Members of the project; ?sort= name, username, email or role.',
    params: ProjectParams,
    query: SortQuery,
    response: z.array(Member),
    status: 200,
  }),
  add: defineRoute({
    method: 'POST',
    path: '/project/:project_id/users',
    permission: 'users',
    summary: 'Adds a user to the project.',
    params: ProjectParams,
    body: MemberInput,
    status: 204,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/users/:user_id',
    permission: 'member',
    summary: 'One member.',
    params: MemberParams,
    response: Member,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/users/:user_id',
    permission: 'users',
    summary: 'Gives a member another role; never the last owner.',
    params: MemberParams,
    body: MemberChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/users/:user_id',
    permission: 'users',
    summary: 'Takes a member out of the project; never the last owner.',
    params: MemberParams,
    status: 204,
  }),
  leave: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/me',
    permission: 'member',
    summary: 'Leaves the project. An owner is taken out by another owner.',
    params: ProjectParams,
    announced: false,
    status: 204,
  }),
};

import * as z from 'zod/mini';
import { Flag, Id, Name, ProjectParams, Text, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { Role } from './permissions.ts';

export const Project = z.object({
  id: Id,
  name: z.string(),
  created: Timestamp,
  alert: z.boolean(),
  alert_chat: z.nullable(z.string()),
  /** 0 = unlimited. */
  max_parallel_tasks: z.int(),
  /** Empty = standard. */
  type: z.string(),
});
export type Project = z.infer<typeof Project>;

const settings = {
  name: Name,
  alert: z.optional(Flag),
  alert_chat: z.optional(z.nullable(Text.check(z.maxLength(30)))),
  max_parallel_tasks: z.optional(
    z.int('Must be an integer').check(z.minimum(0, 'Must be 0 or greater'), z.maximum(1_000_000)),
  ),
};
export const ProjectInput = z.object({
  ...settings,
  type: z.optional(Text.check(z.maxLength(20))),
  /** Fills the project with examples that need no network. */
  demo: z.optional(Flag),
});
export type ProjectInput = z.infer<typeof ProjectInput>;

export const ProjectChange = z.object({ ...settings, id: Id });
export type ProjectChange = z.infer<typeof ProjectChange>;

export const projectRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/projects',
    permission: 'signed_in',
    summary: 'Projects of the caller; administrators see all.',
    response: z.array(Project),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/projects',
    permission: 'signed_in',
    summary: 'Creates a project; the caller becomes its owner. Needs can_create_project.',
    body: ProjectInput,
    response: Project,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id',
    permission: 'member',
    summary: 'One project.',
    params: ProjectParams,
    response: Project,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id',
    permission: 'update',
    summary: 'Changes the settings of a project.',
    params: ProjectParams,
    body: ProjectChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id',
    permission: 'update',
    summary: 'Deletes a project with everything in it; its running tasks are stopped.',
    params: ProjectParams,
    status: 204,
  }),
  role: defineRoute({
    method: 'GET',
    path: '/project/:project_id/role',
    permission: 'member',
    summary: "The caller's role in the project.",
    params: ProjectParams,
    response: Role,
    status: 200,
  }),
};

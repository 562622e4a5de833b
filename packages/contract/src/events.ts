import * as z from 'zod/mini';
import { Id, PageQuery, ProjectParams, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';

/** Who did what; the activity list. Never holds a secret. */
export const Event = z.object({
  id: Id,
  user_id: z.nullable(Id),
  project_id: z.nullable(Id),
  integration_id: z.nullable(Id),
  object_id: z.nullable(Id),
  object_type: z.nullable(z.string()),
  object_name: z.string(),
  description: z.string(),
  created: Timestamp,
  username: z.nullable(z.string()),
  project_name: z.nullable(z.string()),
  /** Network address of whoever did it; told to administrators only. */
  address: z.optional(z.string()),
});
export type Event = z.infer<typeof Event>;

export const eventRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/events',
    permission: 'signed_in',
    summary:
      "Events of the caller's projects, newest first, 1000 at a time. Administrators also see those of no project.",
    query: PageQuery,
    response: z.array(Event),
    status: 200,
  }),
  last: defineRoute({
    method: 'GET',
    path: '/events/last',
    permission: 'signed_in',
    summary: 'The latest of them: ?limit= 1 to 200.',
    query: PageQuery,
    response: z.array(Event),
    status: 200,
  }),
  listOfProject: defineRoute({
    method: 'GET',
    path: '/project/:project_id/events',
    permission: 'member',
    summary: 'Events of the project, newest first, 1000 at a time.',
    params: ProjectParams,
    query: PageQuery,
    response: z.array(Event),
    status: 200,
  }),
  lastOfProject: defineRoute({
    method: 'GET',
    path: '/project/:project_id/events/last',
    permission: 'member',
    summary: 'The latest events of the project: ?limit= 1 to 200.',
    params: ProjectParams,
    query: PageQuery,
    response: z.array(Event),
    status: 200,
  }),
};

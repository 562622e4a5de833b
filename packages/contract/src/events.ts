import * as z from 'zod/mini';
import { Id, ProjectParams, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';

/** Who did what; the activity list. Never holds a secret. */
export const Event = z.object({
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
});
export type Event = z.infer<typeof Event>;

export const eventRoutes = {
  lastOfProject: defineRoute({
    method: 'GET',
    path: '/project/:project_id/events/last',
    permission: 'member',
    summary: 'The latest 200 events of the project.',
    params: ProjectParams,
    response: z.array(Event),
    status: 200,
  }),
};

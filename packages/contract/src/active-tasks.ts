import * as z from 'zod/mini';
import { Id, PathId } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { TaskStatus } from './task-state.ts';

/** A task that has not ended, for administrators. What is null is not known or does not apply. */
export const ActiveTask = z.object({
  task_id: Id,
  project_id: Id,
  project_name: z.string(),
  status: TaskStatus,
  /** `queue` while it waits, else `running`. */
  location: z.enum(['queue', 'running']),
  username: z.nullable(z.string()),
  /** Null for the built-in runner, and in the queue. */
  runner_id: z.nullable(Id),
  runner_name: z.nullable(z.string()),
});
export type ActiveTask = z.infer<typeof ActiveTask>;

export const activeTaskRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/tasks',
    permission: 'admin',
    summary: 'Tasks of all projects that have not ended: the queue first, then what runs; at most 1000 of each.',
    response: z.array(ActiveTask),
    status: 200,
  }),
  stop: defineRoute({
    method: 'DELETE',
    path: '/tasks/:task_id',
    permission: 'admin',
    summary: 'Asks a task of any project to stop.',
    params: z.object({ task_id: PathId }),
    status: 204,
  }),
};

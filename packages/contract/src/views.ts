import * as z from 'zod/mini';
import { Id, PathId, ProjectParams, SortQuery, Text } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { Template } from './templates.ts';

/** A tab over the list of templates. */
export const View = z.object({ id: Id, project_id: Id, title: z.string(), position: z.int() });
export type View = z.infer<typeof View>;

const Title = Text.check(z.trim(), z.minLength(1, 'is required'), z.maxLength(100));
const Position = z.int().check(z.minimum(-1_000_000), z.maximum(1_000_000));

export const ViewInput = z.object({
  project_id: z.optional(Id),
  title: Title,
  /** After the last one where it is not said. */
  position: z.optional(Position),
});
export type ViewInput = z.infer<typeof ViewInput>;
export const ViewChange = z.object({ ...ViewInput.shape, id: Id });
export type ViewChange = z.infer<typeof ViewChange>;

/** Id of a view to its position. */
export const ViewPositions = z.record(
  z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'must be the id of a view')),
  Position,
);
export type ViewPositions = z.infer<typeof ViewPositions>;

const ViewParams = z.object({ ...ProjectParams.shape, view_id: PathId });

export const viewRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/views',
    permission: 'member',
    summary: 'Views of the project, in the order of their positions.',
    params: ProjectParams,
    response: z.array(View),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/views',
    permission: 'resources',
    summary: 'Adds a view.',
    params: ProjectParams,
    body: ViewInput,
    response: View,
    status: 201,
  }),
  arrange: defineRoute({
    method: 'POST',
    path: '/project/:project_id/views/positions',
    permission: 'resources',
    summary: 'Moves views: a map of ids to positions. An id that is not there changes nothing at all.',
    params: ProjectParams,
    body: ViewPositions,
    status: 204,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/views/:view_id',
    permission: 'member',
    summary: 'One view.',
    params: ViewParams,
    response: View,
    status: 200,
  }),
  templates: defineRoute({
    method: 'GET',
    path: '/project/:project_id/views/:view_id/templates',
    permission: 'member',
    summary: 'Templates of the view with their last task.',
    params: ViewParams,
    query: SortQuery,
    response: z.array(Template),
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/views/:view_id',
    permission: 'resources',
    summary: 'Changes the title or the position of a view.',
    params: ViewParams,
    body: ViewChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/views/:view_id',
    permission: 'resources',
    summary: 'Deletes a view; its templates stay.',
    params: ViewParams,
    status: 204,
  }),
};

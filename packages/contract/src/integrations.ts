import * as z from 'zod/mini';
import { Flag, Id, Name, PathId, ProjectParams, SortQuery, Text } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { References } from './references.ts';
import { Launch, TaskParams } from './tasks.ts';

/** How a call proves who sent it: not at all, as GitHub does, by a header that is the secret, or by a bare HMAC. */
export const AuthMethod = z.enum(['', 'github', 'token', 'hmac']);
export type AuthMethod = z.infer<typeof AuthMethod>;

/** A template that is launched by calls from outside. */
export const Integration = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  template_id: Id,
  auth_method: AuthMethod,
  /** Name of the header that carries the token or the HMAC. */
  auth_header: z.string(),
  /** A login_password key; its password is the secret. Without one, a method other than none refuses every call. */
  auth_secret_id: z.nullable(Id),
  /** Also reached through the aliases of the project and the global one. */
  searchable: z.boolean(),
  /** Params of its tasks, as a launch would send them. */
  task_params: z.nullable(TaskParams),
});
export type Integration = z.infer<typeof Integration>;

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** Whether HTTP takes it for the name of a header: no blank, no colon, no line break. */
export const isHeaderName = (text: string): boolean => headerName.test(text);

const input = {
  project_id: z.optional(Id),
  name: Name,
  template_id: Id,
  /** `none` is what newer clients say for the empty one. */
  auth_method: z.optional(
    z.pipe(
      z.enum(['', 'none', 'github', 'token', 'hmac']),
      z.transform((method): AuthMethod => (method === 'none' ? '' : method)),
    ),
  ),
  auth_header: z.optional(
    z.nullable(
      Text.check(
        z.trim(),
        z.refine((text) => text === '' || isHeaderName(text), 'is not the name of a header'),
      ),
    ),
  ),
  auth_secret_id: z.optional(z.nullable(Id)),
  searchable: z.optional(Flag),
  task_params: Launch.shape.params,
};

export const IntegrationInput = z.object(input);
export type IntegrationInput = z.infer<typeof IntegrationInput>;
/** A missing optional member keeps its stored value. */
export const IntegrationChange = z.object({ ...input, id: z.optional(Id) });
export type IntegrationChange = z.infer<typeof IntegrationChange>;

/** Matchers and values go with their integration, so nothing is ever in the way of a deletion: all lists are empty. */
export const IntegrationReferences = z.object({
  ...References.shape,
  matchers: z.array(z.unknown()),
  values: z.array(z.unknown()),
});

export const IntegrationParams = z.object({ ...ProjectParams.shape, integration_id: PathId });

export const integrationRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations',
    permission: 'member',
    summary: 'Integrations of the project.',
    params: ProjectParams,
    query: SortQuery,
    response: z.array(Integration),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/integrations',
    permission: 'update',
    summary: 'Adds an integration.',
    params: ProjectParams,
    body: IntegrationInput,
    response: Integration,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id',
    permission: 'member',
    summary: 'One integration.',
    params: IntegrationParams,
    response: Integration,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/refs',
    permission: 'member',
    summary: 'What uses the integration: nothing ever does.',
    params: IntegrationParams,
    response: IntegrationReferences,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/integrations/:integration_id',
    permission: 'update',
    summary: 'Changes an integration.',
    params: IntegrationParams,
    body: IntegrationChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/integrations/:integration_id',
    permission: 'update',
    summary: 'Deletes an integration with its aliases, matchers, values and deliveries.',
    params: IntegrationParams,
    status: 204,
  }),
};

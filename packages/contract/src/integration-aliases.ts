import * as z from 'zod/mini';
import { Id, PathId, ProjectParams } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { IntegrationParams } from './integrations.ts';

/** An address under which calls arrive. Whoever knows it can call it. */
export const IntegrationAlias = z.object({ id: Id, url: z.string() });
export type IntegrationAlias = z.infer<typeof IntegrationAlias>;

/** What an alias may look like in an address; new ones are 16 characters of a-z and 0-9. */
export const isAliasText = (text: string): boolean => /^[A-Za-z0-9_-]{1,50}$/.test(text);

export const integrationAliasRoutes = {
  listOfProject: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/aliases',
    permission: 'member',
    summary: 'Addresses that reach all searchable integrations of the project.',
    params: ProjectParams,
    response: z.array(IntegrationAlias),
    status: 200,
  }),
  createForProject: defineRoute({
    method: 'POST',
    path: '/project/:project_id/integrations/aliases',
    permission: 'update',
    summary: 'Makes an address for all searchable integrations of the project.',
    params: ProjectParams,
    response: IntegrationAlias,
    status: 200,
  }),
  removeOfProject: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/integrations/aliases/:alias_id',
    permission: 'update',
    summary: 'Deletes an address of the project.',
    params: z.object({ ...ProjectParams.shape, alias_id: PathId }),
    status: 204,
  }),
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/aliases',
    permission: 'member',
    summary: 'Addresses of the integration.',
    params: IntegrationParams,
    response: z.array(IntegrationAlias),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/integrations/:integration_id/aliases',
    permission: 'update',
    summary: 'Makes an address for the integration.',
    params: IntegrationParams,
    response: IntegrationAlias,
    status: 200,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/integrations/:integration_id/aliases/:alias_id',
    permission: 'update',
    summary: 'Deletes an address of the integration.',
    params: z.object({ ...IntegrationParams.shape, alias_id: PathId }),
    status: 204,
  }),
};

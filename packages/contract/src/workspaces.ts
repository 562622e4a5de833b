import * as z from 'zod/mini';
import { PathId, ProjectParams } from './fields.ts';
import { defineRoute } from './http/route.ts';

const WorkspaceParams = z.object({ ...ProjectParams.shape, template_id: PathId, inventory_id: PathId });
const path = '/project/:project_id/templates/:template_id/inventory/:inventory_id';

/** The workspaces of a template for Terraform or OpenTofu. A workspace is an inventory; one of them is the default. */
export const workspaceRoutes = {
  setDefault: defineRoute({
    method: 'POST',
    path: `${path}/set_default`,
    permission: 'resources',
    summary: 'Makes a workspace the default of its template; a free one is attached.',
    params: WorkspaceParams,
    status: 204,
  }),
  attach: defineRoute({
    method: 'POST',
    path: `${path}/attach`,
    permission: 'resources',
    summary: 'Gives a free workspace to a template.',
    params: WorkspaceParams,
    status: 204,
  }),
  detach: defineRoute({
    method: 'POST',
    path: `${path}/detach`,
    permission: 'resources',
    summary: 'Takes a workspace away from its template; not the default one.',
    params: WorkspaceParams,
    status: 204,
  }),
};

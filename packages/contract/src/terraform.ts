import * as z from 'zod/mini';
import { Id, PathId, ProjectParams, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { TaskStatus } from './task-state.ts';

/** Where Terraform and OpenTofu outside of tasks find the state of a workspace; login and password are those of a key. */
export const TerraformAlias = z.object({ id: Id, url: z.string(), auth_key_id: Id });
export type TerraformAlias = z.infer<typeof TerraformAlias>;

export const TerraformAliasInput = z.object({ auth_key_id: Id });
export type TerraformAliasInput = z.infer<typeof TerraformAliasInput>;
export const TerraformAliasChange = z.object({ ...TerraformAliasInput.shape, id: z.optional(Id) });
export type TerraformAliasChange = z.infer<typeof TerraformAliasChange>;

/** One stored state, without its text. */
export const TerraformStateItem = z.object({
  id: Id,
  /** Null where no task stored it, or where that was deleted. */
  task_id: z.nullable(Id),
  /** Of that task. */
  status: z.nullable(TaskStatus),
  created: Timestamp,
  serial: z.int(),
});
export type TerraformStateItem = z.infer<typeof TerraformStateItem>;
export const TerraformState = z.object({ ...TerraformStateItem.shape, state: z.string() });
export type TerraformState = z.infer<typeof TerraformState>;

const WorkspaceParams = z.object({ ...ProjectParams.shape, inventory_id: PathId });
const AliasParams = z.object({ ...WorkspaceParams.shape, alias_id: PathId });
const aliases = '/project/:project_id/inventory/:inventory_id/terraform/aliases';
const states = '/project/:project_id/inventory/:inventory_id/terraform/states';

export const terraformRoutes = {
  listAliases: defineRoute({
    method: 'GET',
    path: aliases,
    permission: 'member',
    summary: 'Addresses of the state of a workspace.',
    params: WorkspaceParams,
    response: z.array(TerraformAlias),
    status: 200,
  }),
  createAlias: defineRoute({
    method: 'POST',
    path: aliases,
    permission: 'resources',
    summary: 'Makes an address for the state of a workspace.',
    params: WorkspaceParams,
    body: TerraformAliasInput,
    response: TerraformAlias,
    status: 201,
  }),
  updateAlias: defineRoute({
    method: 'PUT',
    path: `${aliases}/:alias_id`,
    permission: 'resources',
    summary: 'Gives an address another key.',
    params: AliasParams,
    body: TerraformAliasChange,
    status: 204,
  }),
  removeAlias: defineRoute({
    method: 'DELETE',
    path: `${aliases}/:alias_id`,
    permission: 'resources',
    summary: 'Deletes an address; the state stays.',
    params: AliasParams,
    status: 204,
  }),
  listStates: defineRoute({
    method: 'GET',
    path: states,
    permission: 'member',
    summary: 'Stored states of a workspace, newest first, without their text.',
    params: WorkspaceParams,
    response: z.array(TerraformStateItem),
    status: 200,
  }),
  getState: defineRoute({
    method: 'GET',
    path: `${states}/:state_id`,
    permission: 'resources',
    summary: 'One stored state with its text. States hold secrets in clear, so reading one needs more than membership.',
    params: z.object({ ...WorkspaceParams.shape, state_id: PathId }),
    response: TerraformState,
    status: 200,
  }),
  removeState: defineRoute({
    method: 'DELETE',
    path: `${states}/:state_id`,
    permission: 'resources',
    summary: 'Deletes one stored state for good. Without the newest one, Terraform goes on from the one before.',
    params: z.object({ ...WorkspaceParams.shape, state_id: PathId }),
    status: 204,
  }),
};

import * as z from 'zod/mini';
import { Id, Name, PathId, ProjectParams, SortQuery, Text } from './fields.ts';
import { HostKeyPolicy } from './host-keys.ts';
import { defineRoute, largeBodyLimit } from './http/route.ts';
import { References } from './references.ts';

export const inventoryTypes = ['static', 'static-yaml', 'file', 'tofu-workspace', 'terraform-workspace'] as const;
export const InventoryType = z.enum(inventoryTypes);
export type InventoryType = z.infer<typeof InventoryType>;

export const Inventory = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  /** Content, path in the repository, or workspace name, by type. */
  inventory: z.string(),
  type: InventoryType,
  ssh_key_id: z.nullable(Id),
  become_key_id: z.nullable(Id),
  /** Where a file inventory lives; null = the template's repository. */
  repository_id: z.nullable(Id),
  host_key_policy: HostKeyPolicy,
  /** Template that owns a workspace. */
  template_id: z.nullable(Id),
  /** The same under the older product's name. */
  holder_id: z.nullable(Id),
});
export type Inventory = z.infer<typeof Inventory>;

/** A path inside a repository: relative, without a step upwards. */
export function isInsidePath(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..');
}

const input = {
  project_id: z.optional(Id),
  name: Name,
  inventory: z._default(Text.check(z.trim()), ''),
  type: InventoryType,
  ssh_key_id: z.optional(z.nullable(Id)),
  become_key_id: z.optional(z.nullable(Id)),
  repository_id: z.optional(z.nullable(Id)),
  host_key_policy: z.optional(HostKeyPolicy),
  template_id: z.optional(z.nullable(Id)),
  /** The same as `template_id`, which wins where both are said. */
  holder_id: z.optional(z.nullable(Id)),
};

const fileIsInside = z.refine<{ type: InventoryType; inventory?: string | undefined }>(
  (value) => value.type !== 'file' || value.inventory === undefined || isInsidePath(value.inventory),
  { path: ['inventory'], message: 'must be a path inside the repository' },
);

/** A name that Terraform takes for a workspace, and that is no step in a path. */
export function isWorkspaceName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.~-]{0,89}$/.test(name);
}

export function isWorkspaceType(type: InventoryType): boolean {
  return type === 'terraform-workspace' || type === 'tofu-workspace';
}

const workspaceHasName = z.refine<{ type: InventoryType; inventory?: string | undefined }>(
  ({ type, inventory }) => !isWorkspaceType(type) || inventory === undefined || isWorkspaceName(inventory),
  { path: ['inventory'], message: 'must be the name of a workspace: letters, digits and _ . ~ -' },
);

export const InventoryInput = z.object(input).check(fileIsInside, workspaceHasName);
export type InventoryInput = z.infer<typeof InventoryInput>;
export const InventoryChange = z
  .object({ ...input, id: Id, inventory: z.optional(Text.check(z.trim())) })
  .check(fileIsInside, workspaceHasName);
export type InventoryChange = z.infer<typeof InventoryChange>;

const InventoryParams = z.object({ ...ProjectParams.shape, inventory_id: PathId });

export const inventoryRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/inventory',
    permission: 'member',
    summary: 'Inventories of the project.',
    params: ProjectParams,
    query: z.object({ ...SortQuery.shape, app: z.optional(z.string()), template_id: z.optional(PathId) }),
    response: z.array(Inventory),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/inventory',
    permission: 'resources',
    summary: 'Adds an inventory.',
    params: ProjectParams,
    body: InventoryInput,
    bodyLimit: largeBodyLimit,
    response: Inventory,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/inventory/:inventory_id',
    permission: 'member',
    summary: 'One inventory.',
    params: InventoryParams,
    response: Inventory,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/inventory/:inventory_id/refs',
    permission: 'member',
    summary: 'What uses the inventory.',
    params: InventoryParams,
    response: References,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/inventory/:inventory_id',
    permission: 'resources',
    summary: 'Changes an inventory.',
    params: InventoryParams,
    body: InventoryChange,
    bodyLimit: largeBodyLimit,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/inventory/:inventory_id',
    permission: 'resources',
    summary: 'Deletes an inventory that nothing uses.',
    params: InventoryParams,
    status: 204,
  }),
};

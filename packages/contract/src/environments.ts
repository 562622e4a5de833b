import * as z from 'zod/mini';
import { Id, JsonObjectText, JsonStringMapText, Name, PathId, ProjectParams, SortQuery, Text } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { References } from './references.ts';

/** A variable group: plain variables, process environment, secrets. */
export const SecretType = z.enum(['var', 'env']);
export type SecretType = z.infer<typeof SecretType>;

export const EnvironmentSecret = z.object({
  id: Id,
  type: SecretType,
  name: z.string(),
  /** Always empty on the way out. */
  secret: z.literal(''),
});
export type EnvironmentSecret = z.infer<typeof EnvironmentSecret>;

export const Environment = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  /** JSON text of the extra variables. */
  json: z.string(),
  /** JSON text of the process environment. */
  env: z.nullable(z.string()),
  /** Null in lists. */
  secrets: z.nullable(z.array(EnvironmentSecret)),
});
export type Environment = z.infer<typeof Environment>;

/** A system takes no name that is empty or has a "=", and no NUL in either; what is no JSON is told by another rule. */
function hasProcessNames(text: string): boolean {
  let variables: unknown;
  try {
    variables = JSON.parse(text);
  } catch {
    return true; // the rule before has refused it
  }
  return Object.entries(Object(variables)).every(
    ([name, value]) => /^[^=\0]+$/.test(name) && !String(value).includes('\0'),
  );
}

/** JSON text of a process environment. */
const ProcessEnvironment = JsonStringMapText.check(
  z.refine(hasProcessNames, 'must have names and values that a process environment can hold'),
);

/** Names become variables of a process and of a shell. */
const SecretName = z.string().check(z.trim(), z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'must be a variable name'));

export const SecretOperation = z.object({
  id: z.optional(z.int()),
  type: SecretType,
  name: SecretName,
  /** An empty value on update keeps the stored one. */
  secret: z._default(Text.check(z.maxLength(1024 * 1024)), ''),
  /** Items without an operation are left as they are. */
  operation: z.optional(z.union([z.enum(['create', 'update', 'delete']), z.literal('')])),
});
export type SecretOperation = z.infer<typeof SecretOperation>;

export const EnvironmentInput = z.object({
  project_id: z.optional(Id),
  name: Name,
  json: z._default(JsonObjectText, '{}'),
  env: z.optional(z.nullable(ProcessEnvironment)),
  secrets: z.optional(z.nullable(z.array(SecretOperation))),
});
export type EnvironmentInput = z.infer<typeof EnvironmentInput>;

export const EnvironmentChange = z.object({
  ...EnvironmentInput.shape,
  id: Id,
  json: z.optional(JsonObjectText),
});
export type EnvironmentChange = z.infer<typeof EnvironmentChange>;

const EnvironmentParams = z.object({ ...ProjectParams.shape, environment_id: PathId });

export const environmentRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/environment',
    permission: 'member',
    summary: 'Variable groups of the project.',
    params: ProjectParams,
    query: SortQuery,
    response: z.array(Environment),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/environment',
    permission: 'resources',
    summary: 'Adds a variable group with its secrets.',
    params: ProjectParams,
    body: EnvironmentInput,
    response: Environment,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/environment/:environment_id',
    permission: 'member',
    summary: 'One variable group; secrets by name only.',
    params: EnvironmentParams,
    response: Environment,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/environment/:environment_id/refs',
    permission: 'member',
    summary: 'What uses the variable group.',
    params: EnvironmentParams,
    response: References,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/environment/:environment_id',
    permission: 'resources',
    summary: 'Changes a variable group; secrets by operation.',
    params: EnvironmentParams,
    body: EnvironmentChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/environment/:environment_id',
    permission: 'resources',
    summary: 'Deletes a variable group that nothing uses.',
    params: EnvironmentParams,
    status: 204,
  }),
};

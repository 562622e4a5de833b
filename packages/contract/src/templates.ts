import * as z from 'zod/mini';
import { Flag, Id, JsonArgumentsText, makeName, PathId, ProjectParams, SortQuery, Text } from './fields.ts';
import { isBranchName } from './git-url.ts';
import { defineRoute } from './http/route.ts';
import { References } from './references.ts';
import { TaskItem, TaskListQuery } from './tasks.ts';

export const TemplateType = z.enum(['', 'build', 'deploy']);
export type TemplateType = z.infer<typeof TemplateType>;

export const SurveyType = z.enum(['', 'int', 'enum', 'secret']);
const SurveyValue = z.object({ name: Text, value: Text });

export const SurveyVariable = z
  .object({
    name: Text.check(z.trim(), z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'must be a variable name')),
    title: Text.check(z.trim(), z.minLength(1, 'is required'), z.maxLength(255)),
    description: z._default(Text, ''),
    type: z._default(SurveyType, ''),
    required: z._default(Flag, false),
    values: z._default(z.array(SurveyValue), []),
  })
  .check(
    z.refine((variable) => variable.type !== 'enum' || variable.values.length > 0, {
      path: ['values'],
      message: 'Enumeration must have values.',
    }),
    z.refine((variable) => variable.values.every((value) => value.name !== ''), {
      path: ['values'],
      message: 'Value name cannot be empty.',
    }),
    z.refine((variable) => new Set(variable.values.map((value) => value.name)).size === variable.values.length, {
      path: ['values'],
      message: 'Enumeration values must have unique names.',
    }),
  );
export type SurveyVariable = z.infer<typeof SurveyVariable>;

/** A script that Ansible takes as a vault client: its name ends in -client, with or without an extension. */
const VaultScript = Text.check(
  z.trim(),
  z.regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))(?:.*\/)?[^/]*-client(?:\.[^./]+)?$/, "must end with '-client'"),
);
export const Vault = z.object({
  id: z.optional(z.nullable(z.int())),
  /** Where it belongs, on the way out; not read on the way in. */
  project_id: z.optional(Id),
  template_id: z.optional(Id),
  /** Null = the default vault. */
  name: z.optional(z.nullable(Text.check(z.trim(), z.toLowerCase(), z.regex(/^[a-z0-9_.-]{1,100}$/)))),
  type: z._default(z.enum(['password', 'script']), 'password'),
  vault_key_id: z.optional(z.nullable(Id)),
  script: z.optional(z.nullable(VaultScript)),
});
export type Vault = z.infer<typeof Vault>;

const HostPatterns = z.array(Text.check(z.trim(), z.minLength(1), z.maxLength(255)));
/** Defaults of the template's tasks, and what a launch may override. */
export const TemplateParams = z.object({
  limit: z._default(HostPatterns, []),
  tags: z._default(HostPatterns, []),
  skip_tags: z._default(HostPatterns, []),
  allow_override_inventory: z._default(Flag, false),
  allow_override_limit: z._default(Flag, false),
  allow_override_tags: z._default(Flag, false),
  allow_override_skip_tags: z._default(Flag, false),
  allow_debug: z._default(Flag, false),
  auto_approve: z._default(Flag, false),
});
export type TemplateParams = z.infer<typeof TemplateParams>;

const nullableId = z.nullable(Id);

export const Template = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  description: z.string(),
  app: z.string(),
  type: TemplateType,
  playbook: z.string(),
  inventory_id: nullableId,
  repository_id: nullableId,
  environment_id: nullableId,
  view_id: nullableId,
  build_template_id: nullableId,
  start_version: z.nullable(z.string()),
  autorun: z.boolean(),
  /** JSON text of an array of strings. */
  arguments: z.nullable(z.string()),
  allow_override_args_in_task: z.boolean(),
  allow_parallel_tasks: z.boolean(),
  git_branch: z.nullable(z.string()),
  survey_vars: z.array(SurveyVariable),
  vaults: z.array(Vault),
  task_params: TemplateParams,
  runner_tag: z.nullable(z.string()),
  suppress_success_alerts: z.boolean(),
  /** Seconds; 0 = no limit. */
  timeout_seconds: z.int(),
  /** Seconds from the interrupt to the kill when stopped; null = what suits the app. */
  stop_grace_seconds: z.nullable(z.int()),
  /** How many tasks it has. */
  tasks: z.int(),
  last_task_id: nullableId,
  last_task: z.nullable(TaskItem),
});
export type Template = z.infer<typeof Template>;

const BranchOverride = Text.check(
  z.trim(),
  z.maxLength(255),
  z.refine((name) => name === '' || isBranchName(name), 'is not a branch name'),
);

const input = {
  project_id: z.optional(Id),
  name: makeName(100),
  description: z.optional(z.nullable(Text.check(z.maxLength(10_000)))),
  app: Text.check(z.minLength(1, 'is required'), z.maxLength(50)),
  type: z.optional(TemplateType),
  playbook: z.optional(Text.check(z.trim(), z.maxLength(1024))),
  inventory_id: z.optional(nullableId),
  repository_id: z.optional(nullableId),
  environment_id: z.optional(nullableId),
  view_id: z.optional(nullableId),
  build_template_id: z.optional(nullableId),
  start_version: z.optional(z.nullable(Text.check(z.trim(), z.maxLength(100)))),
  autorun: z.optional(Flag),
  arguments: z.optional(z.nullable(z.union([z.literal(''), JsonArgumentsText]))),
  allow_override_args_in_task: z.optional(Flag),
  allow_parallel_tasks: z.optional(Flag),
  git_branch: z.optional(z.nullable(BranchOverride)),
  survey_vars: z.optional(
    z.nullable(
      z
        .array(SurveyVariable)
        .check(
          z.refine(
            (list) => new Set(list.map((variable) => variable.name)).size === list.length,
            'names must be unique',
          ),
        ),
    ),
  ),
  vaults: z.optional(z.nullable(z.array(Vault))),
  task_params: z.optional(z.nullable(TemplateParams)),
  runner_tag: z.optional(z.nullable(Text.check(z.trim(), z.maxLength(100)))),
  suppress_success_alerts: z.optional(Flag),
  timeout_seconds: z.optional(z.int().check(z.minimum(0), z.maximum(2_592_000))),
  stop_grace_seconds: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(86_400)))),
};
/** What a form sends. Rules that need the database (references, what the app needs) are the server's. */
export const TemplateInput = z.object(input);
export type TemplateInput = z.infer<typeof TemplateInput>;
/** A missing optional member keeps its stored value. */
export const TemplateChange = z.object({ ...input, id: Id });
export type TemplateChange = z.infer<typeof TemplateChange>;

const TemplateParameters = z.object({ ...ProjectParams.shape, template_id: PathId });

export const templateRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/templates',
    permission: 'member',
    summary: 'Templates of the project with their last task.',
    params: ProjectParams,
    query: z.object({ ...SortQuery.shape, app: z.optional(z.string()) }),
    response: z.array(Template),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/templates',
    permission: 'resources',
    summary: 'Adds a template.',
    params: ProjectParams,
    body: TemplateInput,
    response: Template,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/templates/:template_id',
    permission: 'member',
    summary: 'One template.',
    params: TemplateParameters,
    response: Template,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/templates/:template_id/refs',
    permission: 'member',
    summary: 'What uses the template.',
    params: TemplateParameters,
    response: References,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/templates/:template_id',
    permission: 'resources',
    summary: 'Changes a template; its vault list replaces the stored one.',
    params: TemplateParameters,
    body: TemplateChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/templates/:template_id',
    permission: 'resources',
    summary: 'Deletes a template with its tasks, schedules and vaults.',
    params: TemplateParameters,
    status: 204,
  }),
  tasks: defineRoute({
    method: 'GET',
    path: '/project/:project_id/templates/:template_id/tasks',
    permission: 'member',
    summary: 'Tasks of the template, newest first, 1000 at a time.',
    params: TemplateParameters,
    query: TaskListQuery,
    response: z.array(TaskItem),
    status: 200,
  }),
  lastTasks: defineRoute({
    method: 'GET',
    path: '/project/:project_id/templates/:template_id/tasks/last',
    permission: 'member',
    summary: 'The latest tasks of the template: ?limit= 1 to 200.',
    params: TemplateParameters,
    query: TaskListQuery,
    response: z.array(TaskItem),
    status: 200,
  }),
};

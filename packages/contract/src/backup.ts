import * as z from 'zod/mini';
import { FieldProblem } from './errors.ts';
import { Flag, Id, ProjectParams, Text } from './fields.ts';
import { defineRoute, largeBodyLimit } from './http/route.ts';
import { Project } from './projects.ts';

/*
 * A project as one JSON document. Names stand where the database has ids, so each list has unique names; what is null is
 * left out. Secrets, members, tasks, events and runners are not in it. What is written is exact; what is read may be a
 * file of Semaphore UI, of any age: there lists may be missing or null, and members that nobody knows are kept, to be
 * named in the answer.
 */

/** In one list: far more than a project has, and few enough for one transaction. */
export const maxBackupItems = 20_000;

/** Left out where it is null. */
const maybe = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema));

const meta = {
  name: Text,
  alert: maybe(Flag),
  alert_chat: maybe(Text),
  max_parallel_tasks: maybe(z.int()),
  type: maybe(Text),
};
const view = { title: Text, position: maybe(z.int()) };
const key = { name: Text, type: Text };
const secret = { type: Text, name: Text };
const environment = { name: Text, json: maybe(Text), env: maybe(Text) };
const repository = {
  name: Text,
  git_url: Text,
  git_branch: maybe(Text),
  ssh_key: maybe(Text),
  host_key_policy: maybe(Text),
};
/** An address under which Terraform finds its state, and the key that opens it. */
const stateAlias = { alias: Text, auth_key: Text };
const inventory = {
  name: Text,
  inventory: maybe(Text),
  type: Text,
  ssh_key: maybe(Text),
  become_key: maybe(Text),
  repository: maybe(Text),
  host_key_policy: maybe(Text),
  /** The template that a workspace belongs to. */
  template: maybe(Text),
};
const surveyValue = { name: Text, value: Text };
const survey = {
  name: Text,
  title: maybe(Text),
  description: maybe(Text),
  type: maybe(Text),
  required: maybe(Flag),
};
const vault = { name: maybe(Text), type: maybe(Text), vault_key: maybe(Text), script: maybe(Text) };
const list = <S extends z.ZodMiniType>(item: S) =>
  maybe(z.array(item).check(z.maxLength(maxBackupItems, `has more than ${maxBackupItems} items`)));
const patterns = maybe(z.array(Text));
const templateParams = {
  limit: patterns,
  tags: patterns,
  skip_tags: patterns,
  allow_override_inventory: maybe(Flag),
  allow_override_limit: maybe(Flag),
  allow_override_tags: maybe(Flag),
  allow_override_skip_tags: maybe(Flag),
  allow_debug: maybe(Flag),
  auto_approve: maybe(Flag),
};
const template = {
  name: Text,
  description: maybe(Text),
  app: maybe(Text),
  type: maybe(Text),
  playbook: maybe(Text),
  inventory: maybe(Text),
  repository: maybe(Text),
  environment: maybe(Text),
  view: maybe(Text),
  build_template: maybe(Text),
  start_version: maybe(Text),
  autorun: maybe(Flag),
  arguments: maybe(Text),
  allow_override_args_in_task: maybe(Flag),
  allow_parallel_tasks: maybe(Flag),
  git_branch: maybe(Text),
  runner_tag: maybe(Text),
  suppress_success_alerts: maybe(Flag),
  timeout_seconds: maybe(z.int()),
  stop_grace_seconds: maybe(z.int()),
};
/** Only in older files: a secret that nothing used, the template's first schedule, and its one vault key. */
const olderEnvironment = { password: maybe(Text) };
const olderTemplate = { cron: maybe(Text), vault_key: maybe(Text) };
const patternsOrText = maybe(z.union([z.array(Text), Text]));
const taskParams = {
  debug: maybe(Flag),
  dry_run: maybe(Flag),
  diff: maybe(Flag),
  plan: maybe(Flag),
  destroy: maybe(Flag),
  auto_approve: maybe(Flag),
  upgrade: maybe(Flag),
  reconfigure: maybe(Flag),
  limit: patternsOrText,
  tags: patternsOrText,
  skip_tags: patternsOrText,
};
/** What the tasks of a schedule get. */
const scheduleParams = {
  message: maybe(Text),
  environment: maybe(Text),
  inventory: maybe(Text),
  git_branch: maybe(Text),
  arguments: maybe(Text),
};
const schedule = {
  name: maybe(Text),
  template: Text,
  cron_format: Text,
  timezone: maybe(Text),
  active: maybe(Flag),
  /** Runs only when this repository has a new commit. */
  checkable_repository: maybe(Text),
};
const integration = {
  name: Text,
  template: maybe(Text),
  auth_method: maybe(Text),
  auth_header: maybe(Text),
  auth_secret: maybe(Text),
  searchable: maybe(Flag),
};
const matcher = {
  name: Text,
  match_type: Text,
  method: Text,
  body_data_type: maybe(Text),
  key: maybe(Text),
  value: maybe(Text),
};
const extractValue = {
  name: Text,
  value_source: Text,
  body_data_type: maybe(Text),
  key: maybe(Text),
  variable: maybe(Text),
};

/** What `GET …/backup` writes, its members in this order. */
export const Backup = z.object({
  meta: z.object(meta),
  views: z.array(z.object(view)),
  keys: z.array(z.object(key)),
  environments: z.array(z.object({ ...environment, secrets: z.array(z.object(secret)) })),
  repositories: z.array(z.object(repository)),
  inventories: z.array(z.object({ ...inventory, terraform_aliases: z.array(z.object(stateAlias)) })),
  templates: z.array(
    z.object({
      ...template,
      survey_vars: z.array(z.object({ ...survey, values: z.array(z.object(surveyValue)) })),
      vaults: z.array(z.object(vault)),
      task_params: z.object(templateParams),
    }),
  ),
  schedules: z.array(
    z.object({ ...schedule, params: maybe(z.object({ ...scheduleParams, params: maybe(z.object(taskParams)) })) }),
  ),
  integrations: z.array(
    z.object({
      ...integration,
      task_params: maybe(z.object(taskParams)),
      aliases: z.array(Text),
      matchers: z.array(z.object(matcher)),
      extract_values: z.array(z.object(extractValue)),
    }),
  ),
  integration_aliases: z.array(Text),
});
export type Backup = z.infer<typeof Backup>;

/** What `POST /projects/restore` reads. */
export const BackupFile = z.looseObject({
  meta: z.looseObject(meta),
  views: list(z.looseObject(view)),
  keys: list(z.looseObject(key)),
  environments: list(z.looseObject({ ...environment, ...olderEnvironment, secrets: list(z.looseObject(secret)) })),
  repositories: list(z.looseObject(repository)),
  inventories: list(z.looseObject({ ...inventory, terraform_aliases: list(z.looseObject(stateAlias)) })),
  templates: list(
    z.looseObject({
      ...template,
      ...olderTemplate,
      survey_vars: list(z.looseObject({ ...survey, values: list(z.looseObject(surveyValue)) })),
      vaults: list(z.looseObject(vault)),
      task_params: maybe(z.looseObject(templateParams)),
    }),
  ),
  schedules: list(
    z.looseObject({
      ...schedule,
      params: maybe(z.looseObject({ ...scheduleParams, params: maybe(z.looseObject(taskParams)) })),
    }),
  ),
  integrations: list(
    z.looseObject({
      ...integration,
      task_params: maybe(z.looseObject(taskParams)),
      aliases: list(Text),
      matchers: list(z.looseObject(matcher)),
      extract_values: list(z.looseObject(extractValue)),
    }),
  ),
  integration_aliases: list(Text),
});
export type BackupFile = z.infer<typeof BackupFile>;

/** The new project, and what is left to do by hand. */
export const RestoredProject = z.object({
  ...Project.shape,
  /** Keys whose secrets must be given before tasks run. */
  empty_keys: z.array(z.object({ id: Id, name: z.string() })),
  /** Secrets of variable groups that must be given anew. */
  empty_secrets: z.array(z.object({ environment_id: Id, environment: z.string(), name: z.string() })),
  /** Aliases that were taken, and what they are now; the senders must be told. */
  new_aliases: z.array(z.object({ path: z.string(), alias: z.string(), new_alias: z.string() })),
  /** What of the file is not in the project, or not as it was: where it stands, and why. */
  not_carried: z.array(FieldProblem),
});
export type RestoredProject = z.infer<typeof RestoredProject>;

export const backupRoutes = {
  create: defineRoute({
    method: 'GET',
    path: '/project/:project_id/backup',
    permission: 'update',
    summary: 'The project as one document with names instead of ids, without its secrets.',
    params: ProjectParams,
    response: Backup,
    status: 200,
  }),
  restore: defineRoute({
    method: 'POST',
    path: '/projects/restore',
    permission: 'signed_in',
    summary: 'Makes a new project from a backup, of this product or of Semaphore UI. Needs can_create_project.',
    body: BackupFile,
    bodyLimit: largeBodyLimit,
    response: RestoredProject,
    status: 200,
  }),
};

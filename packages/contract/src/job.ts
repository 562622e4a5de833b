import * as z from 'zod/mini';
import { Id } from './fields.ts';
import { HostKeyPolicy } from './host-keys.ts';

/** An older server says nothing of it. */
const JobHostKeyPolicy = z._default(HostKeyPolicy, 'accept-new');

/** What a runner needs to run one task. Sealed on the wire, made at claim time from current keys, never stored. */

export const KeyMaterial = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('ssh'), login: z.string(), passphrase: z.string(), private_key: z.string() }),
  z.object({ type: z.literal('login_password'), login: z.string(), password: z.string() }),
]);
export type KeyMaterial = z.infer<typeof KeyMaterial>;

export const JobRepository = z.object({
  id: Id,
  url: z.string(),
  /** Empty for a plain local directory. */
  branch: z.string(),
  key: KeyMaterial,
  host_key_policy: JobHostKeyPolicy,
  /** Allowed whatever SIGNALBOX_LOCAL_REPOSITORIES says: the demo's own repository. */
  trusted: z.boolean(),
});
export type JobRepository = z.infer<typeof JobRepository>;

export const JobInventory = z.object({
  type: z.enum(['static', 'static-yaml', 'file', 'terraform-workspace', 'tofu-workspace']),
  /** Content, path inside the repository, or workspace name. */
  content: z.string(),
  ssh_key: KeyMaterial,
  become_key: KeyMaterial,
  host_key_policy: JobHostKeyPolicy,
  /** Where a file inventory lives when it is not the template's repository. */
  repository: z.nullable(JobRepository),
});
export type JobInventory = z.infer<typeof JobInventory>;

export const JobVault = z.discriminatedUnion('type', [
  z.object({ type: z.literal('password'), name: z.string(), password: z.string() }),
  z.object({ type: z.literal('script'), name: z.string(), script: z.string() }),
]);
export type JobVault = z.infer<typeof JobVault>;

export const JobParams = z.object({
  debug: z.boolean(),
  dry_run: z.boolean(),
  diff: z.boolean(),
  plan: z.boolean(),
  destroy: z.boolean(),
  auto_approve: z.boolean(),
  upgrade: z.boolean(),
  reconfigure: z.boolean(),
  limit: z.array(z.string()),
  tags: z.array(z.string()),
  skip_tags: z.array(z.string()),
});
export type JobParams = z.infer<typeof JobParams>;

export const Job = z.object({
  task_id: Id,
  project_id: Id,
  template_id: Id,
  template_name: z.string(),
  task_type: z.enum(['', 'build', 'deploy']),
  /** The app's id, and what an administrator set for it: another command, other leading arguments. */
  app: z.object({ id: z.string(), path: z.string(), args: z.nullable(z.array(z.string())) }),
  playbook: z.string(),
  /** Template arguments first, then the task's where the template allows them. */
  arguments: z.array(z.string()),
  params: JobParams,
  repository: JobRepository,
  /** A commit asked for; null = the head of the branch. */
  commit_hash: z.nullable(z.string()),
  /** When the task was created (epoch ms): a fetch that began later need not be repeated. */
  created: z.int(),
  inventory: z.nullable(JobInventory),
  vaults: z.array(JobVault),
  /** Plain variables after precedence: variable group, template, schedule or webhook, the person who launches. */
  variables: z.record(z.string(), z.unknown()),
  /** Secrets of the variable group (type var) and secret survey answers. */
  secret_variables: z.record(z.string(), z.string()),
  /**
   * Names of those of both that came with the launch, the schedule or the webhook. They are what somebody typed or sent: a tool
   * that reads expressions in its variables is not to evaluate them. An older server names none.
   */
  given_variables: z._default(z.array(z.string()), []),
  /** Process environment of the variable group, plain and secret. */
  env: z.record(z.string(), z.string()),
  secret_env: z.record(z.string(), z.string()),
  /**
   * Where a tool may keep its state when the code names no place: below the server's address, under a password that is good for
   * this claim alone. Null for other tools, and where the feature is off.
   */
  state: z.nullable(z.object({ path: z.string(), username: z.string(), password: z.string() })),
  /** What tools are told of the task itself: `semaphore_vars`, SEMAPHORE_TASK_*, SIGNALBOX_TASK_*. */
  details: z.object({
    username: z.string(),
    url: z.nullable(z.string()),
    message: z.string(),
    incoming_version: z.nullable(z.string()),
    target_version: z.nullable(z.string()),
  }),
  /** Seconds; 0 = none. */
  timeout_seconds: z.int(),
  /** Seconds from the interrupt to the kill; null = the adapter's own. */
  stop_grace_seconds: z.nullable(z.int()),
});
export type Job = z.infer<typeof Job>;

export const Probe = z.object({
  probe_id: z.string(),
  /** remote_head: the commit of refs/heads/{branch}. repository_test: can it be reached with this key. */
  kind: z.enum(['remote_head', 'repository_test']),
  repository: JobRepository,
});
export type Probe = z.infer<typeof Probe>;

// biome-ignore-all lint/style/noExcessiveLinesPerFile: the rows of all tables in one place, as everyone looks them up here

import type { DeliveryOutcome } from '@signalbox/contract/deliveries';
import type { SecretType } from '@signalbox/contract/environments';
import type { HostKeyPolicy } from '@signalbox/contract/host-keys';
import type { InventoryType } from '@signalbox/contract/inventories';
import type { KeyType } from '@signalbox/contract/keys';
import type { NotificationKind } from '@signalbox/contract/notifications';
import type { RoleName } from '@signalbox/contract/permissions';
import type { TaskStatus } from '@signalbox/contract/task-state';
import type { TemplateType } from '@signalbox/contract/templates';
import type { ColumnType, Generated } from 'kysely';

/**
 * Rows as both databases hold them. Conventions that make one code base serve both: ids are integers, times are epoch
 * milliseconds (bigint), JSON is text, booleans arrive as booleans (a plugin turns SQLite's 0 and 1), bytes are Uint8Array.
 * `Sealed` text is encrypted with the key ring (see secrets.ts), with table, column and row id as associated data.
 */
type Id = Generated<number>;
type Millis = number;
type Json = string;
type Sealed = string;
type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;

type UserTable = {
  id: Id;
  created: Millis;
  username: string;
  name: string;
  email: string;
  /** argon2id in PHC form; null for external users. */
  password: string | null;
  admin: boolean;
  external: boolean;
  alert: boolean;
};
/** Who an external user is at his provider: issuer and subject, never the e-mail address. */
type UserIdentityTable = { id: Id; user_id: number; issuer: string; subject: string; created: Millis };
/** What a sign-in rule gave, so that it can be taken away again: a role in a project, or (both null) the admin flag. */
type SignInGrantTable = { user_id: number; project_id: number | null; role: RoleName | null };
/** Sign-ins with a provider that were finished, for as long as they could be finished again. */
type UsedSignInTable = { state_hash: string; created: Millis };
type SessionTable = {
  id: Id;
  user_id: number;
  /** SHA-256 of the cookie's value, hex. */
  token_hash: string;
  created: Millis;
  last_active: Millis;
  address: string;
  user_agent: string;
  /** False until the second factor was given. */
  verified: boolean;
};
/** Failed sign-ins, counted over the last minute. */
type LoginFailureTable = { id: Id; kind: 'account' | 'address' | 'code'; subject: string; created: Millis };
type ApiTokenTable = {
  id: string;
  user_id: number;
  name: string;
  token_hash: string;
  created: Millis;
  expires: Millis | null;
  last_used: Millis | null;
  revoked: boolean;
};
type TotpTable = {
  id: Id;
  user_id: number;
  secret: Sealed;
  recovery_hash: string | null;
  created: Millis;
  /** Last accepted time step, so that a code counts once. */
  last_step: number | null;
};
export type ProjectTable = {
  id: Id;
  name: string;
  created: Millis;
  alert: boolean;
  alert_chat: string | null;
  max_parallel_tasks: number;
  type: string;
  /** Nobody reaches it any more; its rows go when its last task has ended. */
  deleted: Millis | null;
};
type ProjectUserTable = { project_id: number; user_id: number; role: RoleName };
export type KeyTable = { id: Id; project_id: number; name: string; type: KeyType; secret: Sealed | null };
export type RepositoryTable = {
  id: Id;
  project_id: number;
  name: string;
  git_url: string;
  git_branch: string;
  ssh_key_id: number;
  host_key_policy: Generated<HostKeyPolicy>;
};
export type InventoryTable = {
  id: Id;
  project_id: number;
  name: string;
  inventory: string;
  type: InventoryType;
  ssh_key_id: number | null;
  become_key_id: number | null;
  repository_id: number | null;
  template_id: number | null;
  host_key_policy: Generated<HostKeyPolicy>;
};
export type EnvironmentTable = { id: Id; project_id: number; name: string; json: Json; env: Json | null };
export type EnvironmentSecretTable = {
  id: Id;
  project_id: number;
  environment_id: number;
  type: SecretType;
  name: string;
  secret: Sealed;
};
type ViewTable = { id: Id; project_id: number; title: string; position: number };
export type TemplateTable = {
  id: Id;
  project_id: number;
  name: string;
  description: string;
  app: string;
  type: TemplateType;
  playbook: string;
  inventory_id: number | null;
  repository_id: number | null;
  environment_id: number | null;
  view_id: number | null;
  build_template_id: number | null;
  start_version: string | null;
  autorun: boolean;
  arguments: Json | null;
  allow_override_args_in_task: boolean;
  allow_parallel_tasks: boolean;
  git_branch: string | null;
  survey_vars: Json;
  task_params: Json;
  runner_tag: string | null;
  suppress_success_alerts: boolean;
  timeout_seconds: number;
  stop_grace_seconds: number | null;
  /** Kept by the insert and the delete of tasks, so that lists need no count. */
  task_count: Generated<number>;
  last_task_id: number | null;
};
export type TemplateVaultTable = {
  id: Id;
  project_id: number;
  template_id: number;
  name: string | null;
  type: 'password' | 'script';
  vault_key_id: number | null;
  script: string | null;
};
type ScheduleTable = {
  id: Id;
  project_id: number;
  template_id: number;
  name: string;
  cron_format: string;
  timezone: string;
  active: boolean;
  repository_id: number | null;
  last_commit_hash: string | null;
  /** Next nominal time; null while inactive. */
  next_fire: Millis | null;
  params: Json | null;
  /** Nominal time of the latest tick that was looked after. */
  last_fire: Generated<Millis | null>;
  /** Why it starts no task at present. */
  problem: Generated<Json | null>;
  /** Digest of the address and branch that `last_commit_hash` is of. */
  commit_source: Generated<string | null>;
};
/** One tick, one task: unique by schedule and nominal time. */
type ScheduleTickTable = { schedule_id: number; nominal: Millis; created: Millis; task_id: number | null };
export type TaskTable = {
  id: Id;
  project_id: number;
  template_id: number;
  status: TaskStatus;
  message: string;
  commit_hash: string | null;
  commit_message: string;
  user_id: number | null;
  integration_id: number | null;
  schedule_id: number | null;
  build_task_id: number | null;
  version: string | null;
  created: Millis;
  start: Millis | null;
  end: Millis | null;
  params: Json;
  playbook: string;
  environment: Json;
  arguments: Json | null;
  git_branch: string | null;
  inventory_id: number | null;
  /** From the template at creation: what the claim needs to know without a join. */
  runner_tag: string | null;
  parallel: boolean;
  /** Changed addresses and counts of a Terraform plan. */
  plan: Json | null;
  /** When a confirmation is no longer waited for. */
  expires: Millis | null;
  stop_requested: Generated<'none' | 'soft' | 'force'>;
  runner_id: number | null;
  /** The runner process that holds it. */
  instance: string | null;
  claim_id: string | null;
  fence: Generated<number>;
  lease_until: Millis | null;
  unreachable_since: Millis | null;
  waiting_reason: Json | null;
  reason: Generated<string>;
};
/** Secret survey answers of a task that has not started; deleted when it starts or ends. */
type TaskSecretTable = { task_id: number; secret: Sealed };
/** Logs of tasks that were deleted; filled by a trigger, emptied when the log is gone too. */
type RetiredLogTable = { task_id: number };
/** Tasks by status, in steps of 15 minutes of their creation: what statistics are read from. */
export type TaskCountTable = {
  project_id: number;
  template_id: number;
  /** 0 = no user. */
  user_id: number;
  /** Start of the quarter of an hour, epoch ms. */
  bucket: Millis;
  status: 'success' | 'error' | 'stopped';
  count: number;
};
export type IntegrationTable = {
  id: Id;
  project_id: number;
  name: string;
  template_id: number;
  auth_method: '' | 'github' | 'token' | 'hmac';
  auth_header: string;
  auth_secret_id: number | null;
  task_params: Json | null;
  searchable: boolean;
};
type IntegrationAliasTable = { id: Id; project_id: number; integration_id: number | null; alias: string };
export type IntegrationMatcherTable = {
  id: Id;
  project_id: number;
  integration_id: number;
  name: string;
  match_type: 'body' | 'header';
  method: 'equals' | 'unequals' | 'contains';
  body_data_type: 'json' | 'string';
  key: string;
  value: string;
};
export type IntegrationValueTable = {
  id: Id;
  project_id: number;
  integration_id: number;
  name: string;
  value_source: 'body' | 'header';
  body_data_type: 'json' | 'string';
  key: string;
  variable: string;
};
/** A webhook call that arrived, with its verdict. */
export type IntegrationDeliveryTable = {
  id: Id;
  project_id: number;
  integration_id: number;
  created: Millis;
  method: string;
  headers: Json;
  body: Bytes;
  verdict: Json;
  task_id: number | null;
  outcome: Generated<DeliveryOutcome>;
  /** Digest of the sender's own number, where it has started a task: unique in the integration. */
  claim: string | null;
};
export type RunnerTable = {
  id: Id;
  project_id: number | null;
  name: string;
  tag: string | null;
  webhook: string;
  max_parallel_tasks: number;
  active: boolean;
  token_hash: string;
  /** Raw X25519 public key, base64; null until a runner brings its own. */
  public_key: string | null;
  created: Millis;
  lost_after_seconds: number;
  /** Rows of deleted runners stay, because the tasks that they ran name them. */
  deleted: Generated<Millis | null>;
};
/** One-time registration tokens. */
type RunnerRegistrationTable = {
  id: Id;
  token_hash: string;
  project_id: number | null;
  tag: string | null;
  created: Millis;
  expires: Millis;
  used: Millis | null;
  /** What the runner gets that registers with it; 0 = unlimited. */
  max_parallel_tasks: Generated<number>;
};
/** One process of a runner. `runner_id` null = the built-in runner of `server`. */
export type RunnerInstanceTable = {
  instance: string;
  runner_id: number | null;
  /** Built-in only: the data directory that it belongs to; several servers have a built-in runner each. */
  server: string | null;
  /** Built-in only: its own token, new at each spawn. */
  token_hash: string | null;
  public_key: string | null;
  protocol: number;
  version: string;
  machine: Json;
  draining: boolean;
  first_seen: Millis;
  last_seen: Millis;
  /** A successor or a free lock proved that it is gone. */
  gone: Millis | null;
};
/** One for each server of the database: when it last stored something. */
type ServerPulseTable = { server: string; seen: Millis };
/** Questions that only a runner may answer; short-lived. */
export type ProbeTable = {
  id: string;
  project_id: number;
  runner_tag: string | null;
  /** Sealed with the key ring: it may hold a key. */
  question: Sealed;
  created: Millis;
  instance: string | null;
  claimed: Millis | null;
  attempts: number;
  ok: boolean | null;
  answer: string | null;
};
export type AppTable = {
  id: string;
  title: string;
  icon: string;
  color: string;
  dark_color: string;
  path: string;
  args: Json | null;
  priority: number;
  active: boolean;
};
type OptionTable = { key: string; value: string };
type EventTable = {
  id: Id;
  created: Millis;
  project_id: number | null;
  user_id: number | null;
  integration_id: number | null;
  object_type: string | null;
  object_id: number | null;
  object_name: string;
  description: string;
  /** Network address of the actor. */
  address: string;
};
type TerraformAliasTable = {
  id: Id;
  project_id: number;
  inventory_id: number;
  alias: string;
  auth_key_id: number;
};
type TerraformStateTable = {
  id: Id;
  project_id: number;
  /** A workspace inventory, or the template for code without a backend of its own. */
  inventory_id: number | null;
  template_id: number | null;
  workspace: string;
  task_id: number | null;
  created: Millis;
  serial: number;
  state: Sealed;
};
type TerraformLockTable = {
  id: Id;
  project_id: number;
  inventory_id: number | null;
  template_id: number | null;
  workspace: string;
  lock_id: string;
  lock: Json;
  task_id: number | null;
  created: Millis;
};
/** What is to be told of a task; becomes notifications when the channels are known. */
type TaskAlertTable = { id: Id; project_id: number; task_id: number | null; facts: Json; created: Millis };
/** One message to one receiver: outbox and log. What waits has a next attempt, what is over has none. */
type NotificationTable = {
  id: Id;
  project_id: number;
  task_id: number | null;
  kind: Generated<NotificationKind>;
  channel: string;
  /** A chat; empty where the settings or the user say it. */
  target: string;
  /** Who gets a mail. */
  user_id: number | null;
  /** The facts; rendered for the channel at each attempt. */
  payload: Json;
  created: Millis;
  next_attempt: Millis | null;
  attempts: number;
  sent: Millis | null;
  error: string;
};
/** Facts about the installation: schema version and fingerprints of the encryption keys. */
type InstallationTable = { key: string; value: string };

export type LogChunkTable = {
  task_id: number;
  first_line: number;
  line_count: number;
  byte_count: number;
  /** Running CRC-32 after the last line, unsigned. */
  crc: number;
  time: Millis;
  /** Reason of a gap; null for lines. */
  gap: string | null;
  data: Bytes;
};
/** The end of a log; its row is the seal. */
type LogSealTable = { task_id: number; lines: number; bytes: number; crc: number; sealed: Millis };

/** The state file (SQLite) or everything but nothing else (PostgreSQL holds the log tables in the same database). */
export type StateTables = {
  user: UserTable;
  user_identity: UserIdentityTable;
  sign_in_grant: SignInGrantTable;
  used_sign_in: UsedSignInTable;
  session: SessionTable;
  login_failure: LoginFailureTable;
  api_token: ApiTokenTable;
  totp: TotpTable;
  project: ProjectTable;
  project_user: ProjectUserTable;
  key: KeyTable;
  repository: RepositoryTable;
  inventory: InventoryTable;
  environment: EnvironmentTable;
  environment_secret: EnvironmentSecretTable;
  view: ViewTable;
  template: TemplateTable;
  template_vault: TemplateVaultTable;
  schedule: ScheduleTable;
  schedule_tick: ScheduleTickTable;
  task: TaskTable;
  task_secret: TaskSecretTable;
  task_count: TaskCountTable;
  retired_log: RetiredLogTable;
  integration: IntegrationTable;
  integration_alias: IntegrationAliasTable;
  integration_matcher: IntegrationMatcherTable;
  integration_value: IntegrationValueTable;
  integration_delivery: IntegrationDeliveryTable;
  runner: RunnerTable;
  runner_registration: RunnerRegistrationTable;
  runner_instance: RunnerInstanceTable;
  server_pulse: ServerPulseTable;
  probe: ProbeTable;
  app: AppTable;
  option: OptionTable;
  event: EventTable;
  terraform_alias: TerraformAliasTable;
  terraform_state: TerraformStateTable;
  terraform_lock: TerraformLockTable;
  task_alert: TaskAlertTable;
  notification: NotificationTable;
  installation: InstallationTable;
};
export type LogTables = { log_chunk: LogChunkTable; log_seal: LogSealTable };

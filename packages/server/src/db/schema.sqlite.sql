-- state.db
CREATE TABLE "api_token" (
  "id" text not null,
  "user_id" integer not null references "user" ("id") on delete cascade,
  "name" text not null,
  "token_hash" text not null unique,
  "created" integer not null,
  "expires" integer,
  "last_used" integer,
  "revoked" int not null check ("revoked" in (0, 1)),
  constraint "api_token_pkey" primary key ("id")
) strict;
CREATE INDEX "api_token_user_id" on "api_token" ("user_id");
CREATE TABLE "app" (
  "id" text not null,
  "title" text not null,
  "icon" text not null,
  "color" text not null,
  "dark_color" text not null,
  "path" text not null,
  "args" text,
  "priority" integer not null,
  "active" int not null check ("active" in (0, 1)),
  constraint "app_pkey" primary key ("id")
) strict;
CREATE TABLE "environment" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "name" text not null,
  "json" text not null,
  "env" text
) strict;
CREATE INDEX "environment_name" on "environment" ("project_id", "name");
CREATE TABLE "environment_secret" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "environment_id" integer not null references "environment" ("id") on delete cascade,
  "type" text not null,
  "name" text not null,
  "secret" text not null
) strict;
CREATE UNIQUE INDEX "environment_secret_name" on "environment_secret" ("environment_id", "type", "name");
CREATE INDEX "environment_secret_project_id" on "environment_secret" ("project_id");
CREATE TABLE "event" (
  "id" integer primary key autoincrement,
  "created" integer not null,
  "project_id" integer references "project" ("id") on delete cascade,
  "user_id" integer references "user" ("id") on delete set null,
  "integration_id" integer references "integration" ("id") on delete set null,
  "object_type" text,
  "object_id" integer,
  "object_name" text not null,
  "description" text not null,
  "address" text not null
) strict;
CREATE INDEX "event_integration_id" on "event" ("integration_id") where integration_id is not null;
CREATE INDEX "event_project" on "event" ("project_id", "id");
CREATE INDEX "event_user_id" on "event" ("user_id") where user_id is not null;
CREATE TABLE "installation" (
  "key" text not null,
  "value" text not null,
  constraint "installation_pkey" primary key ("key")
) strict;
CREATE TABLE "integration" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "name" text not null,
  "template_id" integer not null references "template" ("id") on delete no action,
  "auth_method" text not null,
  "auth_header" text not null,
  "auth_secret_id" integer references "key" ("id") on delete no action,
  "task_params" text,
  "searchable" int not null check ("searchable" in (0, 1))
) strict;
CREATE INDEX "integration_auth_secret_id" on "integration" ("auth_secret_id") where auth_secret_id is not null;
CREATE INDEX "integration_name" on "integration" ("project_id", "name");
CREATE INDEX "integration_template_id" on "integration" ("template_id");
CREATE TABLE "integration_alias" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "integration_id" integer references "integration" ("id") on delete cascade,
  "alias" text not null unique
) strict;
CREATE INDEX "integration_alias_integration_id" on "integration_alias" ("integration_id") where integration_id is not null;
CREATE INDEX "integration_alias_project_id" on "integration_alias" ("project_id");
CREATE TABLE "integration_delivery" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "integration_id" integer not null references "integration" ("id") on delete cascade,
  "created" integer not null,
  "method" text not null,
  "headers" text not null,
  "body" blob not null,
  "verdict" text not null,
  "task_id" integer references "task" ("id") on delete set null,
  "outcome" text default 'not_started' not null,
  "claim" text
) strict;
CREATE UNIQUE INDEX integration_delivery_claim on integration_delivery (integration_id, claim) where claim is not null;
CREATE INDEX "integration_delivery_created" on "integration_delivery" ("created");
CREATE INDEX "integration_delivery_latest" on "integration_delivery" ("integration_id", "id");
CREATE INDEX "integration_delivery_project_id" on "integration_delivery" ("project_id");
CREATE INDEX "integration_delivery_task_id" on "integration_delivery" ("task_id") where task_id is not null;
CREATE TABLE "integration_matcher" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "integration_id" integer not null references "integration" ("id") on delete cascade,
  "name" text not null,
  "match_type" text not null,
  "method" text not null,
  "body_data_type" text not null,
  "key" text not null,
  "value" text not null
) strict;
CREATE INDEX "integration_matcher_integration_id" on "integration_matcher" ("integration_id");
CREATE INDEX "integration_matcher_project_id" on "integration_matcher" ("project_id");
CREATE TABLE "integration_value" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "integration_id" integer not null references "integration" ("id") on delete cascade,
  "name" text not null,
  "value_source" text not null,
  "body_data_type" text not null,
  "key" text not null,
  "variable" text not null
) strict;
CREATE INDEX "integration_value_integration_id" on "integration_value" ("integration_id");
CREATE INDEX "integration_value_project_id" on "integration_value" ("project_id");
CREATE TABLE "inventory" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "name" text not null,
  "inventory" text not null,
  "type" text not null,
  "ssh_key_id" integer references "key" ("id") on delete no action,
  "become_key_id" integer references "key" ("id") on delete no action,
  "repository_id" integer references "repository" ("id") on delete no action,
  "template_id" integer references "template" ("id") on delete set null,
  "host_key_policy" text default 'accept-new' not null
) strict;
CREATE INDEX "inventory_become_key_id" on "inventory" ("become_key_id") where become_key_id is not null;
CREATE INDEX "inventory_name" on "inventory" ("project_id", "name");
CREATE INDEX "inventory_repository_id" on "inventory" ("repository_id") where repository_id is not null;
CREATE INDEX "inventory_ssh_key_id" on "inventory" ("ssh_key_id") where ssh_key_id is not null;
CREATE INDEX "inventory_template_id" on "inventory" ("template_id") where template_id is not null;
CREATE TABLE "key" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "name" text not null,
  "type" text not null,
  "secret" text
) strict;
CREATE INDEX "key_name" on "key" ("project_id", "name");
CREATE TABLE "login_failure" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "subject" text not null,
  "created" integer not null
) strict;
CREATE INDEX "login_failure_created" on "login_failure" ("created");
CREATE INDEX "login_failure_subject" on "login_failure" ("kind", "subject", "created");
CREATE TABLE "notification" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "task_id" integer references "task" ("id") on delete set null,
  "channel" text not null,
  "target" text not null,
  "payload" text not null,
  "created" integer not null,
  "next_attempt" integer,
  "attempts" integer not null,
  "sent" integer,
  "error" text not null,
  "kind" text default 'error' not null,
  "user_id" integer references "user" ("id") on delete cascade
) strict;
CREATE INDEX "notification_created" on "notification" ("created");
CREATE INDEX notification_due on notification (channel, next_attempt) where next_attempt is not null;
CREATE INDEX "notification_project_id" on "notification" ("project_id");
CREATE INDEX "notification_task_id" on "notification" ("task_id") where task_id is not null;
CREATE INDEX notification_user_id on notification (user_id) where user_id is not null;
CREATE TABLE "option" (
  "key" text not null,
  "value" text not null,
  constraint "option_pkey" primary key ("key")
) strict;
CREATE TABLE "probe" (
  "id" text not null,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "runner_tag" text,
  "question" text not null,
  "created" integer not null,
  "instance" text,
  "claimed" integer,
  "attempts" integer not null,
  "ok" int check ("ok" in (0, 1)),
  "answer" text,
  constraint "probe_pkey" primary key ("id")
) strict;
CREATE INDEX "probe_open" on "probe" ("created") where ok is null;
CREATE INDEX "probe_project_id" on "probe" ("project_id");
CREATE TABLE "project" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "created" integer not null,
  "alert" int not null check ("alert" in (0, 1)),
  "alert_chat" text,
  "max_parallel_tasks" integer not null,
  "type" text not null,
  "deleted" integer
) strict;
CREATE TABLE "project_user" (
  "project_id" integer not null references "project" ("id") on delete cascade,
  "user_id" integer not null references "user" ("id") on delete cascade,
  "role" text not null,
  constraint "project_user_pkey" primary key ("project_id", "user_id")
) strict;
CREATE INDEX "project_user_user_id" on "project_user" ("user_id");
CREATE TABLE "repository" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "name" text not null,
  "git_url" text not null,
  "git_branch" text not null,
  "ssh_key_id" integer not null references "key" ("id") on delete no action,
  "host_key_policy" text default 'accept-new' not null
) strict;
CREATE INDEX "repository_name" on "repository" ("project_id", "name");
CREATE INDEX "repository_ssh_key_id" on "repository" ("ssh_key_id");
CREATE TABLE "retired_log" (
  "task_id" integer not null,
  constraint "retired_log_pkey" primary key ("task_id")
) strict;
CREATE TABLE "runner" (
  "id" integer primary key autoincrement,
  "project_id" integer references "project" ("id") on delete cascade,
  "name" text not null,
  "tag" text,
  "webhook" text not null,
  "max_parallel_tasks" integer not null,
  "active" int not null check ("active" in (0, 1)),
  "token_hash" text not null unique,
  "public_key" text,
  "created" integer not null,
  "lost_after_seconds" integer not null,
  "deleted" integer
) strict;
CREATE INDEX "runner_project_id" on "runner" ("project_id") where project_id is not null;
CREATE TABLE "runner_instance" (
  "instance" text not null,
  "runner_id" integer references "runner" ("id") on delete cascade,
  "server" text,
  "token_hash" text,
  "public_key" text,
  "protocol" integer not null,
  "version" text not null,
  "machine" text not null,
  "draining" int not null check ("draining" in (0, 1)),
  "first_seen" integer not null,
  "last_seen" integer not null,
  "gone" integer,
  constraint "runner_instance_pkey" primary key ("instance")
) strict;
CREATE INDEX "runner_instance_runner_id" on "runner_instance" ("runner_id") where runner_id is not null;
CREATE INDEX "runner_instance_token" on "runner_instance" ("token_hash") where token_hash is not null;
CREATE TABLE "runner_registration" (
  "id" integer primary key autoincrement,
  "token_hash" text not null unique,
  "project_id" integer references "project" ("id") on delete cascade,
  "tag" text,
  "created" integer not null,
  "expires" integer not null,
  "used" integer,
  "max_parallel_tasks" integer default 0 not null
) strict;
CREATE INDEX "runner_registration_project_id" on "runner_registration" ("project_id") where project_id is not null;
CREATE TABLE "schedule" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "template_id" integer not null references "template" ("id") on delete cascade,
  "name" text not null,
  "cron_format" text not null,
  "timezone" text not null,
  "active" int not null check ("active" in (0, 1)),
  "repository_id" integer references "repository" ("id") on delete no action,
  "last_commit_hash" text,
  "next_fire" integer,
  "params" text,
  "last_fire" integer,
  "problem" text,
  "commit_source" text
) strict;
CREATE INDEX "schedule_next_fire" on "schedule" ("next_fire") where next_fire is not null;
CREATE INDEX "schedule_project_id" on "schedule" ("project_id");
CREATE INDEX "schedule_repository_id" on "schedule" ("repository_id") where repository_id is not null;
CREATE INDEX "schedule_template_id" on "schedule" ("template_id");
CREATE TABLE "schedule_tick" (
  "schedule_id" integer not null references "schedule" ("id") on delete cascade,
  "nominal" integer not null,
  "created" integer not null,
  "task_id" integer references "task" ("id") on delete set null,
  constraint "schedule_tick_pkey" primary key ("schedule_id", "nominal")
) strict;
CREATE INDEX "schedule_tick_task_id" on "schedule_tick" ("task_id") where task_id is not null;
CREATE TABLE "server_pulse" (
  "server" text not null,
  "seen" integer not null,
  constraint "server_pulse_pkey" primary key ("server")
) strict;
CREATE TABLE "session" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "user" ("id") on delete cascade,
  "token_hash" text not null unique,
  "created" integer not null,
  "last_active" integer not null,
  "address" text not null,
  "user_agent" text not null,
  "verified" int not null check ("verified" in (0, 1))
) strict;
CREATE INDEX "session_last_active" on "session" ("last_active");
CREATE INDEX "session_user_id" on "session" ("user_id");
CREATE TABLE "sign_in_grant" (
  "user_id" integer not null references "user" ("id") on delete cascade,
  "project_id" integer references "project" ("id") on delete cascade,
  "role" text
) strict;
CREATE UNIQUE INDEX "sign_in_grant_admin" on "sign_in_grant" ("user_id") where project_id is null;
CREATE UNIQUE INDEX "sign_in_grant_project_user" on "sign_in_grant" ("project_id", "user_id") where project_id is not null;
CREATE INDEX "sign_in_grant_user_id" on "sign_in_grant" ("user_id");
CREATE TABLE "task" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "template_id" integer not null references "template" ("id") on delete cascade,
  "status" text not null,
  "message" text not null,
  "commit_hash" text,
  "commit_message" text not null,
  "user_id" integer references "user" ("id") on delete set null,
  "integration_id" integer references "integration" ("id") on delete set null,
  "schedule_id" integer references "schedule" ("id") on delete set null,
  "build_task_id" integer references "task" ("id") on delete set null,
  "version" text,
  "created" integer not null,
  "start" integer,
  "end" integer,
  "params" text not null,
  "playbook" text not null,
  "environment" text not null,
  "arguments" text,
  "git_branch" text,
  "inventory_id" integer references "inventory" ("id") on delete set null,
  "runner_tag" text,
  "parallel" int not null check ("parallel" in (0, 1)),
  "plan" text,
  "expires" integer,
  "stop_requested" text default 'none' not null,
  "runner_id" integer references "runner" ("id") on delete set null,
  "instance" text,
  "claim_id" text,
  "fence" integer default 0 not null,
  "lease_until" integer,
  "unreachable_since" integer,
  "waiting_reason" text,
  "reason" text default '' not null
) strict;
CREATE INDEX "task_build_task_id" on "task" ("build_task_id") where build_task_id is not null;
CREATE INDEX "task_busy" on "task" ("status", "project_id") where status in ('starting', 'running', 'confirmed', 'rejected', 'stopping', 'waiting_confirmation');
CREATE INDEX "task_created" on "task" ("created");
CREATE INDEX "task_instance" on "task" ("instance") where status in ('starting', 'running', 'confirmed', 'rejected', 'stopping', 'waiting_confirmation');
CREATE INDEX "task_integration_id" on "task" ("integration_id") where integration_id is not null;
CREATE INDEX "task_inventory_id" on "task" ("inventory_id") where inventory_id is not null;
CREATE UNIQUE INDEX "task_one_per_template" on "task" ("template_id") where status in ('starting', 'running', 'confirmed', 'rejected', 'stopping', 'waiting_confirmation') and parallel = 0;
CREATE INDEX "task_project" on "task" ("project_id", "id");
CREATE INDEX task_project_status on task (project_id, status, id);
CREATE INDEX task_queue on task (id) where status = 'waiting';
CREATE TRIGGER task_retire_log after delete on task begin insert or ignore into retired_log (task_id) values (old.id); end;
CREATE INDEX "task_runner_id" on "task" ("runner_id") where runner_id is not null;
CREATE INDEX "task_schedule_id" on "task" ("schedule_id") where schedule_id is not null;
CREATE INDEX "task_template" on "task" ("template_id", "id");
CREATE INDEX "task_template_status" on "task" ("template_id", "status", "id");
CREATE INDEX "task_user_id" on "task" ("user_id") where user_id is not null;
CREATE INDEX "task_waiting" on "task" ("template_id", "id") where status = 'waiting';
CREATE TABLE "task_alert" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "task_id" integer references "task" ("id") on delete set null,
  "facts" text not null,
  "created" integer not null
) strict;
CREATE INDEX "task_alert_project_id" on "task_alert" ("project_id");
CREATE INDEX "task_alert_task_id" on "task_alert" ("task_id") where task_id is not null;
CREATE TABLE "task_count" (
  "project_id" integer not null references "project" ("id") on delete cascade,
  "template_id" integer not null references "template" ("id") on delete cascade,
  "user_id" integer not null,
  "bucket" integer not null,
  "status" text not null,
  "count" integer not null,
  constraint "task_count_pkey" primary key ("project_id", "template_id", "user_id", "bucket", "status")
) strict;
CREATE INDEX "task_count_bucket" on "task_count" ("project_id", "bucket");
CREATE INDEX task_count_template on task_count (template_id, bucket);
CREATE INDEX "task_count_template_id" on "task_count" ("template_id");
CREATE TABLE "task_secret" (
  "task_id" integer not null references "task" ("id") on delete cascade,
  "secret" text not null,
  constraint "task_secret_pkey" primary key ("task_id")
) strict;
CREATE TABLE "template" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "name" text not null,
  "description" text not null,
  "app" text not null,
  "type" text not null,
  "playbook" text not null,
  "inventory_id" integer references "inventory" ("id") on delete no action,
  "repository_id" integer references "repository" ("id") on delete no action,
  "environment_id" integer references "environment" ("id") on delete no action,
  "view_id" integer references "view" ("id") on delete set null,
  "build_template_id" integer references "template" ("id") on delete no action,
  "start_version" text,
  "autorun" int not null check ("autorun" in (0, 1)),
  "arguments" text,
  "allow_override_args_in_task" int not null check ("allow_override_args_in_task" in (0, 1)),
  "allow_parallel_tasks" int not null check ("allow_parallel_tasks" in (0, 1)),
  "git_branch" text,
  "survey_vars" text not null,
  "task_params" text not null,
  "runner_tag" text,
  "suppress_success_alerts" int not null check ("suppress_success_alerts" in (0, 1)),
  "timeout_seconds" integer not null,
  "stop_grace_seconds" integer,
  "task_count" integer default 0 not null,
  "last_task_id" integer references "task" ("id") on delete set null
) strict;
CREATE INDEX "template_build_template_id" on "template" ("build_template_id") where build_template_id is not null;
CREATE INDEX "template_environment_id" on "template" ("environment_id") where environment_id is not null;
CREATE INDEX "template_inventory_id" on "template" ("inventory_id") where inventory_id is not null;
CREATE INDEX "template_last_task_id" on "template" ("last_task_id") where last_task_id is not null;
CREATE INDEX "template_name" on "template" ("project_id", "name");
CREATE INDEX "template_repository_id" on "template" ("repository_id") where repository_id is not null;
CREATE INDEX "template_view_id" on "template" ("view_id") where view_id is not null;
CREATE TABLE "template_vault" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "template_id" integer not null references "template" ("id") on delete cascade,
  "name" text,
  "type" text not null,
  "vault_key_id" integer references "key" ("id") on delete no action,
  "script" text
) strict;
CREATE INDEX "template_vault_project_id" on "template_vault" ("project_id");
CREATE INDEX "template_vault_template_id" on "template_vault" ("template_id");
CREATE INDEX "template_vault_vault_key_id" on "template_vault" ("vault_key_id") where vault_key_id is not null;
CREATE TABLE "terraform_alias" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "inventory_id" integer not null references "inventory" ("id") on delete cascade,
  "alias" text not null unique,
  "auth_key_id" integer not null references "key" ("id") on delete no action
) strict;
CREATE INDEX "terraform_alias_auth_key_id" on "terraform_alias" ("auth_key_id");
CREATE INDEX "terraform_alias_inventory_id" on "terraform_alias" ("inventory_id");
CREATE INDEX "terraform_alias_project_id" on "terraform_alias" ("project_id");
CREATE TABLE "terraform_lock" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "inventory_id" integer references "inventory" ("id") on delete cascade,
  "template_id" integer references "template" ("id") on delete cascade,
  "workspace" text not null,
  "lock_id" text not null,
  "lock" text not null,
  "task_id" integer references "task" ("id") on delete set null,
  "created" integer not null
) strict;
CREATE UNIQUE INDEX "terraform_lock_inventory" on "terraform_lock" ("inventory_id", "workspace") where inventory_id is not null;
CREATE INDEX "terraform_lock_project_id" on "terraform_lock" ("project_id");
CREATE INDEX "terraform_lock_task_id" on "terraform_lock" ("task_id") where task_id is not null;
CREATE UNIQUE INDEX "terraform_lock_template" on "terraform_lock" ("template_id", "workspace") where template_id is not null;
CREATE TABLE "terraform_state" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "inventory_id" integer references "inventory" ("id") on delete cascade,
  "template_id" integer references "template" ("id") on delete cascade,
  "workspace" text not null,
  "task_id" integer references "task" ("id") on delete set null,
  "created" integer not null,
  "serial" integer not null,
  "state" text not null
) strict;
CREATE UNIQUE INDEX "terraform_state_inventory" on "terraform_state" ("inventory_id", "workspace", "id") where inventory_id is not null;
CREATE INDEX "terraform_state_project_id" on "terraform_state" ("project_id");
CREATE INDEX "terraform_state_task_id" on "terraform_state" ("task_id") where task_id is not null;
CREATE UNIQUE INDEX "terraform_state_template" on "terraform_state" ("template_id", "workspace", "id") where template_id is not null;
CREATE TABLE "totp" (
  "id" integer primary key autoincrement,
  "user_id" integer not null unique references "user" ("id") on delete cascade,
  "secret" text not null,
  "recovery_hash" text,
  "created" integer not null,
  "last_step" integer
) strict;
CREATE TABLE "used_sign_in" (
  "state_hash" text not null,
  "created" integer not null,
  constraint "used_sign_in_pkey" primary key ("state_hash")
) strict;
CREATE INDEX "used_sign_in_created" on "used_sign_in" ("created");
CREATE TABLE "user" (
  "id" integer primary key autoincrement,
  "created" integer not null,
  "username" text not null,
  "name" text not null,
  "email" text not null,
  "password" text,
  "admin" int not null check ("admin" in (0, 1)),
  "external" int not null check ("external" in (0, 1)),
  "alert" int not null check ("alert" in (0, 1))
) strict;
CREATE UNIQUE INDEX "user_email" on "user" (lower(email)) where email <> '';
CREATE UNIQUE INDEX "user_username" on "user" (lower(username));
CREATE TABLE "user_identity" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "user" ("id") on delete cascade,
  "issuer" text not null,
  "subject" text not null,
  "created" integer not null
) strict;
CREATE UNIQUE INDEX "user_identity_subject" on "user_identity" ("issuer", "subject");
CREATE INDEX "user_identity_user_id" on "user_identity" ("user_id");
CREATE TABLE "view" (
  "id" integer primary key autoincrement,
  "project_id" integer not null references "project" ("id") on delete cascade,
  "title" text not null,
  "position" integer not null
) strict;
CREATE INDEX "view_position" on "view" ("project_id", "position");
-- logs.db
CREATE TABLE "log_chunk" (
  "task_id" integer not null,
  "first_line" integer not null,
  "line_count" integer not null,
  "byte_count" integer not null,
  "crc" integer not null,
  "time" integer not null,
  "gap" text,
  "data" blob not null,
  constraint "log_chunk_pkey" primary key ("task_id", "first_line")
) strict;
CREATE TABLE "log_seal" (
  "task_id" integer not null,
  "lines" integer not null,
  "bytes" integer not null,
  "crc" integer not null,
  "sealed" integer not null,
  constraint "log_seal_pkey" primary key ("task_id")
) strict;

table api_token
  id text collate C not null
  user_id bigint not null
  name text collate C not null
  token_hash text collate C not null
  created bigint not null
  expires bigint
  last_used bigint
  revoked boolean not null
  constraint api_token_pkey PRIMARY KEY (id)
  constraint api_token_token_hash_key UNIQUE (token_hash)
  constraint api_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
  CREATE INDEX api_token_user_id ON public.api_token USING btree (user_id)
table app
  id text collate C not null
  title text collate C not null
  icon text collate C not null
  color text collate C not null
  dark_color text collate C not null
  path text collate C not null
  args text collate C
  priority bigint not null
  active boolean not null
  constraint app_pkey PRIMARY KEY (id)
table environment
  id bigint not null identity
  project_id bigint not null
  name text collate C not null
  json text collate C not null
  env text collate C
  constraint environment_pkey PRIMARY KEY (id)
  constraint environment_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX environment_name ON public.environment USING btree (project_id, name)
table environment_secret
  id bigint not null identity
  project_id bigint not null
  environment_id bigint not null
  type text collate C not null
  name text collate C not null
  secret text collate C not null
  constraint environment_secret_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment(id) ON DELETE CASCADE
  constraint environment_secret_pkey PRIMARY KEY (id)
  constraint environment_secret_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX environment_secret_name ON public.environment_secret USING btree (environment_id, type, name)
  CREATE INDEX environment_secret_project_id ON public.environment_secret USING btree (project_id)
table event
  id bigint not null identity
  created bigint not null
  project_id bigint
  user_id bigint
  integration_id bigint
  object_type text collate C
  object_id bigint
  object_name text collate C not null
  description text collate C not null
  address text collate C not null
  constraint event_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id) ON DELETE SET NULL
  constraint event_pkey PRIMARY KEY (id)
  constraint event_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint event_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE SET NULL
  CREATE INDEX event_integration_id ON public.event USING btree (integration_id) WHERE (integration_id IS NOT NULL)
  CREATE INDEX event_project ON public.event USING btree (project_id, id)
  CREATE INDEX event_user_id ON public.event USING btree (user_id) WHERE (user_id IS NOT NULL)
table installation
  key text collate C not null
  value text collate C not null
  constraint installation_pkey PRIMARY KEY (key)
table integration
  id bigint not null identity
  project_id bigint not null
  name text collate C not null
  template_id bigint not null
  auth_method text collate C not null
  auth_header text collate C not null
  auth_secret_id bigint
  task_params text collate C
  searchable boolean not null
  constraint integration_auth_secret_id_fkey FOREIGN KEY (auth_secret_id) REFERENCES key(id)
  constraint integration_pkey PRIMARY KEY (id)
  constraint integration_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint integration_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id)
  CREATE INDEX integration_auth_secret_id ON public.integration USING btree (auth_secret_id) WHERE (auth_secret_id IS NOT NULL)
  CREATE INDEX integration_name ON public.integration USING btree (project_id, name)
  CREATE INDEX integration_template_id ON public.integration USING btree (template_id)
table integration_alias
  id bigint not null identity
  project_id bigint not null
  integration_id bigint
  alias text collate C not null
  constraint integration_alias_alias_key UNIQUE (alias)
  constraint integration_alias_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id) ON DELETE CASCADE
  constraint integration_alias_pkey PRIMARY KEY (id)
  constraint integration_alias_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX integration_alias_integration_id ON public.integration_alias USING btree (integration_id) WHERE (integration_id IS NOT NULL)
  CREATE INDEX integration_alias_project_id ON public.integration_alias USING btree (project_id)
table integration_delivery
  id bigint not null identity
  project_id bigint not null
  integration_id bigint not null
  created bigint not null
  method text collate C not null
  headers text collate C not null
  body bytea not null
  verdict text collate C not null
  task_id bigint
  outcome text collate C not null default 'not_started'::text
  claim text collate C
  constraint integration_delivery_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id) ON DELETE CASCADE
  constraint integration_delivery_pkey PRIMARY KEY (id)
  constraint integration_delivery_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint integration_delivery_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE SET NULL
  CREATE UNIQUE INDEX integration_delivery_claim ON public.integration_delivery USING btree (integration_id, claim) WHERE (claim IS NOT NULL)
  CREATE INDEX integration_delivery_created ON public.integration_delivery USING btree (created)
  CREATE INDEX integration_delivery_latest ON public.integration_delivery USING btree (integration_id, id)
  CREATE INDEX integration_delivery_project_id ON public.integration_delivery USING btree (project_id)
  CREATE INDEX integration_delivery_task_id ON public.integration_delivery USING btree (task_id) WHERE (task_id IS NOT NULL)
table integration_matcher
  id bigint not null identity
  project_id bigint not null
  integration_id bigint not null
  name text collate C not null
  match_type text collate C not null
  method text collate C not null
  body_data_type text collate C not null
  key text collate C not null
  value text collate C not null
  constraint integration_matcher_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id) ON DELETE CASCADE
  constraint integration_matcher_pkey PRIMARY KEY (id)
  constraint integration_matcher_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX integration_matcher_integration_id ON public.integration_matcher USING btree (integration_id)
  CREATE INDEX integration_matcher_project_id ON public.integration_matcher USING btree (project_id)
table integration_value
  id bigint not null identity
  project_id bigint not null
  integration_id bigint not null
  name text collate C not null
  value_source text collate C not null
  body_data_type text collate C not null
  key text collate C not null
  variable text collate C not null
  constraint integration_value_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id) ON DELETE CASCADE
  constraint integration_value_pkey PRIMARY KEY (id)
  constraint integration_value_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX integration_value_integration_id ON public.integration_value USING btree (integration_id)
  CREATE INDEX integration_value_project_id ON public.integration_value USING btree (project_id)
table inventory
  id bigint not null identity
  project_id bigint not null
  name text collate C not null
  inventory text collate C not null
  type text collate C not null
  ssh_key_id bigint
  become_key_id bigint
  repository_id bigint
  template_id bigint
  host_key_policy text collate C not null default 'accept-new'::text
  constraint inventory_become_key_id_fkey FOREIGN KEY (become_key_id) REFERENCES key(id)
  constraint inventory_pkey PRIMARY KEY (id)
  constraint inventory_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint inventory_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repository(id)
  constraint inventory_ssh_key_id_fkey FOREIGN KEY (ssh_key_id) REFERENCES key(id)
  constraint inventory_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id) ON DELETE SET NULL
  CREATE INDEX inventory_become_key_id ON public.inventory USING btree (become_key_id) WHERE (become_key_id IS NOT NULL)
  CREATE INDEX inventory_name ON public.inventory USING btree (project_id, name)
  CREATE INDEX inventory_repository_id ON public.inventory USING btree (repository_id) WHERE (repository_id IS NOT NULL)
  CREATE INDEX inventory_ssh_key_id ON public.inventory USING btree (ssh_key_id) WHERE (ssh_key_id IS NOT NULL)
  CREATE INDEX inventory_template_id ON public.inventory USING btree (template_id) WHERE (template_id IS NOT NULL)
table key
  id bigint not null identity
  project_id bigint not null
  name text collate C not null
  type text collate C not null
  secret text collate C
  constraint key_pkey PRIMARY KEY (id)
  constraint key_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX key_name ON public.key USING btree (project_id, name)
table log_chunk
  task_id bigint not null
  first_line bigint not null
  line_count bigint not null
  byte_count bigint not null
  crc bigint not null
  time bigint not null
  gap text collate C
  data bytea not null storage e
  constraint log_chunk_pkey PRIMARY KEY (task_id, first_line)
table log_seal
  task_id bigint not null
  lines bigint not null
  bytes bigint not null
  crc bigint not null
  sealed bigint not null
  constraint log_seal_pkey PRIMARY KEY (task_id)
table login_failure
  id bigint not null identity
  kind text collate C not null
  subject text collate C not null
  created bigint not null
  constraint login_failure_pkey PRIMARY KEY (id)
  CREATE INDEX login_failure_created ON public.login_failure USING btree (created)
  CREATE INDEX login_failure_subject ON public.login_failure USING btree (kind, subject, created)
table notification
  id bigint not null identity
  project_id bigint not null
  task_id bigint
  channel text collate C not null
  target text collate C not null
  payload text collate C not null
  created bigint not null
  next_attempt bigint
  attempts bigint not null
  sent bigint
  error text collate C not null
  kind text collate C not null default 'error'::text
  user_id bigint
  constraint notification_pkey PRIMARY KEY (id)
  constraint notification_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint notification_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE SET NULL
  constraint notification_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
  CREATE INDEX notification_created ON public.notification USING btree (created)
  CREATE INDEX notification_due ON public.notification USING btree (channel, next_attempt) WHERE (next_attempt IS NOT NULL)
  CREATE INDEX notification_project_id ON public.notification USING btree (project_id)
  CREATE INDEX notification_task_id ON public.notification USING btree (task_id) WHERE (task_id IS NOT NULL)
  CREATE INDEX notification_user_id ON public.notification USING btree (user_id) WHERE (user_id IS NOT NULL)
table option
  key text collate C not null
  value text collate C not null
  constraint option_pkey PRIMARY KEY (key)
table probe
  id text collate C not null
  project_id bigint not null
  runner_tag text collate C
  question text collate C not null
  created bigint not null
  instance text collate C
  claimed bigint
  attempts bigint not null
  ok boolean
  answer text collate C
  constraint probe_pkey PRIMARY KEY (id)
  constraint probe_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX probe_open ON public.probe USING btree (created) WHERE (ok IS NULL)
  CREATE INDEX probe_project_id ON public.probe USING btree (project_id)
table project
  id bigint not null identity
  name text collate C not null
  created bigint not null
  alert boolean not null
  alert_chat text collate C
  max_parallel_tasks bigint not null
  type text collate C not null
  deleted bigint
  constraint project_pkey PRIMARY KEY (id)
table project_user
  project_id bigint not null
  user_id bigint not null
  role text collate C not null
  constraint project_user_pkey PRIMARY KEY (project_id, user_id)
  constraint project_user_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint project_user_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
  CREATE INDEX project_user_user_id ON public.project_user USING btree (user_id)
table repository
  id bigint not null identity
  project_id bigint not null
  name text collate C not null
  git_url text collate C not null
  git_branch text collate C not null
  ssh_key_id bigint not null
  host_key_policy text collate C not null default 'accept-new'::text
  constraint repository_pkey PRIMARY KEY (id)
  constraint repository_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint repository_ssh_key_id_fkey FOREIGN KEY (ssh_key_id) REFERENCES key(id)
  CREATE INDEX repository_name ON public.repository USING btree (project_id, name)
  CREATE INDEX repository_ssh_key_id ON public.repository USING btree (ssh_key_id)
table retired_log
  task_id bigint not null
  constraint retired_log_pkey PRIMARY KEY (task_id)
table runner
  id bigint not null identity
  project_id bigint
  name text collate C not null
  tag text collate C
  webhook text collate C not null
  max_parallel_tasks bigint not null
  active boolean not null
  token_hash text collate C not null
  public_key text collate C
  created bigint not null
  lost_after_seconds bigint not null
  deleted bigint
  constraint runner_pkey PRIMARY KEY (id)
  constraint runner_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint runner_token_hash_key UNIQUE (token_hash)
  CREATE INDEX runner_project_id ON public.runner USING btree (project_id) WHERE (project_id IS NOT NULL)
table runner_instance
  instance text collate C not null
  runner_id bigint
  server text collate C
  token_hash text collate C
  public_key text collate C
  protocol bigint not null
  version text collate C not null
  machine text collate C not null
  draining boolean not null
  first_seen bigint not null
  last_seen bigint not null
  gone bigint
  constraint runner_instance_pkey PRIMARY KEY (instance)
  constraint runner_instance_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runner(id) ON DELETE CASCADE
  CREATE INDEX runner_instance_runner_id ON public.runner_instance USING btree (runner_id) WHERE (runner_id IS NOT NULL)
  CREATE INDEX runner_instance_token ON public.runner_instance USING btree (token_hash) WHERE (token_hash IS NOT NULL)
table runner_registration
  id bigint not null identity
  token_hash text collate C not null
  project_id bigint
  tag text collate C
  created bigint not null
  expires bigint not null
  used bigint
  max_parallel_tasks bigint not null default 0
  constraint runner_registration_pkey PRIMARY KEY (id)
  constraint runner_registration_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint runner_registration_token_hash_key UNIQUE (token_hash)
  CREATE INDEX runner_registration_project_id ON public.runner_registration USING btree (project_id) WHERE (project_id IS NOT NULL)
table schedule
  id bigint not null identity
  project_id bigint not null
  template_id bigint not null
  name text collate C not null
  cron_format text collate C not null
  timezone text collate C not null
  active boolean not null
  repository_id bigint
  last_commit_hash text collate C
  next_fire bigint
  params text collate C
  last_fire bigint
  problem text collate C
  commit_source text collate C
  constraint schedule_pkey PRIMARY KEY (id)
  constraint schedule_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint schedule_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repository(id)
  constraint schedule_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id) ON DELETE CASCADE
  CREATE INDEX schedule_next_fire ON public.schedule USING btree (next_fire) WHERE (next_fire IS NOT NULL)
  CREATE INDEX schedule_project_id ON public.schedule USING btree (project_id)
  CREATE INDEX schedule_repository_id ON public.schedule USING btree (repository_id) WHERE (repository_id IS NOT NULL)
  CREATE INDEX schedule_template_id ON public.schedule USING btree (template_id)
table schedule_tick
  schedule_id bigint not null
  nominal bigint not null
  created bigint not null
  task_id bigint
  constraint schedule_tick_pkey PRIMARY KEY (schedule_id, nominal)
  constraint schedule_tick_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON DELETE CASCADE
  constraint schedule_tick_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE SET NULL
  CREATE INDEX schedule_tick_task_id ON public.schedule_tick USING btree (task_id) WHERE (task_id IS NOT NULL)
table server_pulse
  server text collate C not null
  seen bigint not null
  constraint server_pulse_pkey PRIMARY KEY (server)
table session
  id bigint not null identity
  user_id bigint not null
  token_hash text collate C not null
  created bigint not null
  last_active bigint not null
  address text collate C not null
  user_agent text collate C not null
  verified boolean not null
  constraint session_pkey PRIMARY KEY (id)
  constraint session_token_hash_key UNIQUE (token_hash)
  constraint session_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
  CREATE INDEX session_last_active ON public.session USING btree (last_active)
  CREATE INDEX session_user_id ON public.session USING btree (user_id)
table sign_in_grant
  user_id bigint not null
  project_id bigint
  role text collate C
  constraint sign_in_grant_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint sign_in_grant_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX sign_in_grant_admin ON public.sign_in_grant USING btree (user_id) WHERE (project_id IS NULL)
  CREATE UNIQUE INDEX sign_in_grant_project_user ON public.sign_in_grant USING btree (project_id, user_id) WHERE (project_id IS NOT NULL)
  CREATE INDEX sign_in_grant_user_id ON public.sign_in_grant USING btree (user_id)
table task
  id bigint not null identity
  project_id bigint not null
  template_id bigint not null
  status text collate C not null
  message text collate C not null
  commit_hash text collate C
  commit_message text collate C not null
  user_id bigint
  integration_id bigint
  schedule_id bigint
  build_task_id bigint
  version text collate C
  created bigint not null
  start bigint
  end bigint
  params text collate C not null
  playbook text collate C not null
  environment text collate C not null
  arguments text collate C
  git_branch text collate C
  inventory_id bigint
  runner_tag text collate C
  parallel boolean not null
  plan text collate C
  expires bigint
  stop_requested text collate C not null default 'none'::text
  runner_id bigint
  instance text collate C
  claim_id text collate C
  fence bigint not null default 0
  lease_until bigint
  unreachable_since bigint
  waiting_reason text collate C
  reason text collate C not null default ''::text
  constraint task_build_task_id_fkey FOREIGN KEY (build_task_id) REFERENCES task(id) ON DELETE SET NULL
  constraint task_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration(id) ON DELETE SET NULL
  constraint task_inventory_id_fkey FOREIGN KEY (inventory_id) REFERENCES inventory(id) ON DELETE SET NULL
  constraint task_pkey PRIMARY KEY (id)
  constraint task_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint task_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runner(id) ON DELETE SET NULL
  constraint task_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedule(id) ON DELETE SET NULL
  constraint task_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id) ON DELETE CASCADE
  constraint task_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE SET NULL
  CREATE INDEX task_build_task_id ON public.task USING btree (build_task_id) WHERE (build_task_id IS NOT NULL)
  CREATE INDEX task_busy ON public.task USING btree (status, project_id) WHERE (status = ANY (ARRAY['starting'::text, 'running'::text, 'confirmed'::text, 'rejected'::text, 'stopping'::text, 'waiting_confirmation'::text]))
  CREATE INDEX task_created ON public.task USING btree (created)
  CREATE INDEX task_instance ON public.task USING btree (instance) WHERE (status = ANY (ARRAY['starting'::text, 'running'::text, 'confirmed'::text, 'rejected'::text, 'stopping'::text, 'waiting_confirmation'::text]))
  CREATE INDEX task_integration_id ON public.task USING btree (integration_id) WHERE (integration_id IS NOT NULL)
  CREATE INDEX task_inventory_id ON public.task USING btree (inventory_id) WHERE (inventory_id IS NOT NULL)
  CREATE UNIQUE INDEX task_one_per_template ON public.task USING btree (template_id) WHERE ((status = ANY (ARRAY['starting'::text, 'running'::text, 'confirmed'::text, 'rejected'::text, 'stopping'::text, 'waiting_confirmation'::text])) AND (NOT parallel))
  CREATE INDEX task_project ON public.task USING btree (project_id, id)
  CREATE INDEX task_project_status ON public.task USING btree (project_id, status, id)
  CREATE INDEX task_queue ON public.task USING btree (id) WHERE (status = 'waiting'::text)
  CREATE INDEX task_runner_id ON public.task USING btree (runner_id) WHERE (runner_id IS NOT NULL)
  CREATE INDEX task_schedule_id ON public.task USING btree (schedule_id) WHERE (schedule_id IS NOT NULL)
  CREATE INDEX task_template ON public.task USING btree (template_id, id)
  CREATE INDEX task_template_status ON public.task USING btree (template_id, status, id)
  CREATE INDEX task_user_id ON public.task USING btree (user_id) WHERE (user_id IS NOT NULL)
  CREATE INDEX task_waiting ON public.task USING btree (template_id, id) WHERE (status = 'waiting'::text)
  CREATE TRIGGER task_retire_log AFTER DELETE ON public.task FOR EACH ROW EXECUTE FUNCTION retire_log()
table task_alert
  id bigint not null identity
  project_id bigint not null
  task_id bigint
  facts text collate C not null
  created bigint not null
  constraint task_alert_pkey PRIMARY KEY (id)
  constraint task_alert_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint task_alert_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE SET NULL
  CREATE INDEX task_alert_project_id ON public.task_alert USING btree (project_id)
  CREATE INDEX task_alert_task_id ON public.task_alert USING btree (task_id) WHERE (task_id IS NOT NULL)
table task_count
  project_id bigint not null
  template_id bigint not null
  user_id bigint not null
  bucket bigint not null
  status text collate C not null
  count bigint not null
  constraint task_count_pkey PRIMARY KEY (project_id, template_id, user_id, bucket, status)
  constraint task_count_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint task_count_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id) ON DELETE CASCADE
  CREATE INDEX task_count_bucket ON public.task_count USING btree (project_id, bucket)
  CREATE INDEX task_count_template ON public.task_count USING btree (template_id, bucket)
  CREATE INDEX task_count_template_id ON public.task_count USING btree (template_id)
table task_secret
  task_id bigint not null
  secret text collate C not null
  constraint task_secret_pkey PRIMARY KEY (task_id)
  constraint task_secret_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE CASCADE
table template
  id bigint not null identity
  project_id bigint not null
  name text collate C not null
  description text collate C not null
  app text collate C not null
  type text collate C not null
  playbook text collate C not null
  inventory_id bigint
  repository_id bigint
  environment_id bigint
  view_id bigint
  build_template_id bigint
  start_version text collate C
  autorun boolean not null
  arguments text collate C
  allow_override_args_in_task boolean not null
  allow_parallel_tasks boolean not null
  git_branch text collate C
  survey_vars text collate C not null
  task_params text collate C not null
  runner_tag text collate C
  suppress_success_alerts boolean not null
  timeout_seconds bigint not null
  stop_grace_seconds bigint
  task_count bigint not null default 0
  last_task_id bigint
  constraint template_build_template_id_fkey FOREIGN KEY (build_template_id) REFERENCES template(id)
  constraint template_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment(id)
  constraint template_inventory_id_fkey FOREIGN KEY (inventory_id) REFERENCES inventory(id)
  constraint template_last_task_id_fkey FOREIGN KEY (last_task_id) REFERENCES task(id) ON DELETE SET NULL
  constraint template_pkey PRIMARY KEY (id)
  constraint template_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint template_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES repository(id)
  constraint template_view_id_fkey FOREIGN KEY (view_id) REFERENCES view(id) ON DELETE SET NULL
  CREATE INDEX template_build_template_id ON public.template USING btree (build_template_id) WHERE (build_template_id IS NOT NULL)
  CREATE INDEX template_environment_id ON public.template USING btree (environment_id) WHERE (environment_id IS NOT NULL)
  CREATE INDEX template_inventory_id ON public.template USING btree (inventory_id) WHERE (inventory_id IS NOT NULL)
  CREATE INDEX template_last_task_id ON public.template USING btree (last_task_id) WHERE (last_task_id IS NOT NULL)
  CREATE INDEX template_name ON public.template USING btree (project_id, name)
  CREATE INDEX template_repository_id ON public.template USING btree (repository_id) WHERE (repository_id IS NOT NULL)
  CREATE INDEX template_view_id ON public.template USING btree (view_id) WHERE (view_id IS NOT NULL)
table template_vault
  id bigint not null identity
  project_id bigint not null
  template_id bigint not null
  name text collate C
  type text collate C not null
  vault_key_id bigint
  script text collate C
  constraint template_vault_pkey PRIMARY KEY (id)
  constraint template_vault_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint template_vault_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id) ON DELETE CASCADE
  constraint template_vault_vault_key_id_fkey FOREIGN KEY (vault_key_id) REFERENCES key(id)
  CREATE INDEX template_vault_project_id ON public.template_vault USING btree (project_id)
  CREATE INDEX template_vault_template_id ON public.template_vault USING btree (template_id)
  CREATE INDEX template_vault_vault_key_id ON public.template_vault USING btree (vault_key_id) WHERE (vault_key_id IS NOT NULL)
table terraform_alias
  id bigint not null identity
  project_id bigint not null
  inventory_id bigint not null
  alias text collate C not null
  auth_key_id bigint not null
  constraint terraform_alias_alias_key UNIQUE (alias)
  constraint terraform_alias_auth_key_id_fkey FOREIGN KEY (auth_key_id) REFERENCES key(id)
  constraint terraform_alias_inventory_id_fkey FOREIGN KEY (inventory_id) REFERENCES inventory(id) ON DELETE CASCADE
  constraint terraform_alias_pkey PRIMARY KEY (id)
  constraint terraform_alias_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX terraform_alias_auth_key_id ON public.terraform_alias USING btree (auth_key_id)
  CREATE INDEX terraform_alias_inventory_id ON public.terraform_alias USING btree (inventory_id)
  CREATE INDEX terraform_alias_project_id ON public.terraform_alias USING btree (project_id)
table terraform_lock
  id bigint not null identity
  project_id bigint not null
  inventory_id bigint
  template_id bigint
  workspace text collate C not null
  lock_id text collate C not null
  lock text collate C not null
  task_id bigint
  created bigint not null
  constraint terraform_lock_inventory_id_fkey FOREIGN KEY (inventory_id) REFERENCES inventory(id) ON DELETE CASCADE
  constraint terraform_lock_pkey PRIMARY KEY (id)
  constraint terraform_lock_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint terraform_lock_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE SET NULL
  constraint terraform_lock_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX terraform_lock_inventory ON public.terraform_lock USING btree (inventory_id, workspace) WHERE (inventory_id IS NOT NULL)
  CREATE INDEX terraform_lock_project_id ON public.terraform_lock USING btree (project_id)
  CREATE INDEX terraform_lock_task_id ON public.terraform_lock USING btree (task_id) WHERE (task_id IS NOT NULL)
  CREATE UNIQUE INDEX terraform_lock_template ON public.terraform_lock USING btree (template_id, workspace) WHERE (template_id IS NOT NULL)
table terraform_state
  id bigint not null identity
  project_id bigint not null
  inventory_id bigint
  template_id bigint
  workspace text collate C not null
  task_id bigint
  created bigint not null
  serial bigint not null
  state text collate C not null
  constraint terraform_state_inventory_id_fkey FOREIGN KEY (inventory_id) REFERENCES inventory(id) ON DELETE CASCADE
  constraint terraform_state_pkey PRIMARY KEY (id)
  constraint terraform_state_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  constraint terraform_state_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE SET NULL
  constraint terraform_state_template_id_fkey FOREIGN KEY (template_id) REFERENCES template(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX terraform_state_inventory ON public.terraform_state USING btree (inventory_id, workspace, id) WHERE (inventory_id IS NOT NULL)
  CREATE INDEX terraform_state_project_id ON public.terraform_state USING btree (project_id)
  CREATE INDEX terraform_state_task_id ON public.terraform_state USING btree (task_id) WHERE (task_id IS NOT NULL)
  CREATE UNIQUE INDEX terraform_state_template ON public.terraform_state USING btree (template_id, workspace, id) WHERE (template_id IS NOT NULL)
table totp
  id bigint not null identity
  user_id bigint not null
  secret text collate C not null
  recovery_hash text collate C
  created bigint not null
  last_step bigint
  constraint totp_pkey PRIMARY KEY (id)
  constraint totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
  constraint totp_user_id_key UNIQUE (user_id)
table used_sign_in
  state_hash text collate C not null
  created bigint not null
  constraint used_sign_in_pkey PRIMARY KEY (state_hash)
  CREATE INDEX used_sign_in_created ON public.used_sign_in USING btree (created)
table user
  id bigint not null identity
  created bigint not null
  username text collate C not null
  name text collate C not null
  email text collate C not null
  password text collate C
  admin boolean not null
  external boolean not null
  alert boolean not null
  constraint user_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX user_email ON public."user" USING btree (lower(email)) WHERE (email <> ''::text)
  CREATE UNIQUE INDEX user_username ON public."user" USING btree (lower(username))
table user_identity
  id bigint not null identity
  user_id bigint not null
  issuer text collate C not null
  subject text collate C not null
  created bigint not null
  constraint user_identity_pkey PRIMARY KEY (id)
  constraint user_identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX user_identity_subject ON public.user_identity USING btree (issuer, subject)
  CREATE INDEX user_identity_user_id ON public.user_identity USING btree (user_id)
table view
  id bigint not null identity
  project_id bigint not null
  title text collate C not null
  position bigint not null
  constraint view_pkey PRIMARY KEY (id)
  constraint view_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
  CREATE INDEX view_position ON public.view USING btree (project_id, "position")
CREATE OR REPLACE FUNCTION public.retire_log() RETURNS trigger LANGUAGE plpgsql AS $function$ begin insert into retired_log (task_id) values (old.id) on conflict do nothing; return null; end $function$

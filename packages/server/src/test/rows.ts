import type { Insertable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { StateTables } from '../db/tables.ts';

type Row<Table extends keyof StateTables> = Insertable<StateTables[Table]>;

/** Rows for tests of the database itself, with everything that is not null filled in. */
export async function insertProject(db: Db, change: Partial<Row<'project'>> = {}): Promise<number> {
  const row = {
    name: 'Railway',
    created: 1,
    alert: false,
    alert_chat: null,
    max_parallel_tasks: 0,
    type: '',
    ...change,
  };
  const { id } = await db.insertInto('project').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function insertUser(db: Db, change: Partial<Row<'user'>> = {}): Promise<number> {
  const row = {
    created: 1,
    username: 'ada',
    name: 'Ada',
    email: '',
    password: null,
    admin: false,
    external: false,
    alert: false,
    ...change,
  };
  const { id } = await db.insertInto('user').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function insertTemplate(
  db: Db,
  change: Partial<Row<'template'>> & { project_id: number },
): Promise<number> {
  const row: Row<'template'> = {
    name: 'Deploy',
    description: '',
    app: 'bash',
    type: '',
    playbook: 'run.sh',
    inventory_id: null,
    repository_id: null,
    environment_id: null,
    view_id: null,
    build_template_id: null,
    start_version: null,
    autorun: false,
    arguments: null,
    allow_override_args_in_task: false,
    allow_parallel_tasks: false,
    git_branch: null,
    survey_vars: '[]',
    task_params: '{}',
    runner_tag: null,
    suppress_success_alerts: false,
    timeout_seconds: 0,
    stop_grace_seconds: null,
    last_task_id: null,
    ...change,
  };
  const { id } = await db.insertInto('template').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function insertTask(
  db: Db,
  change: Partial<Row<'task'>> & { project_id: number; template_id: number },
): Promise<number> {
  const row: Row<'task'> = {
    status: 'waiting',
    message: '',
    commit_hash: null,
    commit_message: '',
    user_id: null,
    integration_id: null,
    schedule_id: null,
    build_task_id: null,
    version: null,
    created: 1,
    start: null,
    end: null,
    params: '{}',
    playbook: '',
    environment: '{}',
    arguments: null,
    git_branch: null,
    inventory_id: null,
    runner_tag: null,
    parallel: false,
    plan: null,
    expires: null,
    runner_id: null,
    instance: null,
    claim_id: null,
    lease_until: null,
    unreachable_since: null,
    waiting_reason: null,
    ...change,
  };
  const { id } = await db.insertInto('task').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

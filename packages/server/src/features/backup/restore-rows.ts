import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Keyring } from '../../db/secrets.ts';
import type { StateTables } from '../../db/tables.ts';
import { nextFire } from '../../engine/next-fire.ts';
import { sealEnvironmentSecret } from '../../engine/stored-secrets.ts';
import { readTemplate } from '../templates/templates.ts';
import type { ReadFile } from './restorable-file.ts';

/** Rows of one statement: the number of its parameters is limited. */
const batch = 200;

/** The ids that the items of each list have got, in their order. */
export type RestoredIds = Readonly<
  Record<'keys' | 'environments' | 'inventories' | 'templates' | 'integrations', readonly number[]>
>;

/** A row for every object of the file; ids of the file become those of the database on the way. Aliases come later. */
export async function insertObjects(
  db: Db,
  keyring: Keyring,
  { projectId, now }: { projectId: number; now: number },
  read: ReadFile,
): Promise<RestoredIds> {
  const project_id = projectId;
  const views = await insertAll(
    db,
    'view',
    read.views.map(({ title, position }, at) => ({ project_id, title, position: position ?? at })),
  );
  const keys = await insertAll(
    db,
    'key',
    read.keys.map((key) => ({ ...key, project_id, secret: null })),
  );
  const environments = await insertEnvironments(db, keyring, projectId, read.environments);
  const repositories = await insertAll(
    db,
    'repository',
    read.repositories.map(({ name, git_url, git_branch, ssh_key_id, host_key_policy }) => ({
      project_id,
      name,
      git_url,
      git_branch,
      ssh_key_id: idAt(keys, ssh_key_id),
      host_key_policy: host_key_policy ?? 'accept-new',
    })),
  );
  const inventories = await insertAll(
    db,
    'inventory',
    read.inventories.map(({ ssh_key_id, become_key_id, repository_id, ...values }) => ({
      project_id,
      name: values.name,
      inventory: values.inventory,
      type: values.type,
      host_key_policy: values.host_key_policy ?? 'accept-new',
      ssh_key_id: idAt(keys, ssh_key_id),
      become_key_id: idAt(keys, become_key_id),
      repository_id: idAt(repositories, repository_id),
      template_id: null,
    })),
  );
  const ids = { views, keys, environments, repositories, inventories };
  const templates = await insertTemplates(db, projectId, read, ids);
  await insertSchedules(db, { projectId, now }, read.schedules, { templates, repositories, inventories });
  const integrations = await insertIntegrations(db, projectId, read.integrations, { templates, keys });
  return { keys, environments, inventories, templates, integrations };
}

function idAt(ids: readonly number[], place: number): number;
function idAt(ids: readonly number[], place: number | null | undefined): number | null;
function idAt(ids: readonly number[], place: number | null | undefined): number | null {
  return place ? (ids[place - 1] ?? null) : null;
}

/** @returns the ids, in the order of the rows: the database counts up */
async function insertAll<Table extends TableWithId>(
  db: Db,
  table: Table,
  rows: readonly Insertable<StateTables[Table]>[],
): Promise<number[]> {
  const ids: number[] = [];
  for (let first = 0; first < rows.length; first += batch) {
    const inserted = await db
      .insertInto(table as 'view') // one of them, for the types of the builder
      .values(rows.slice(first, first + batch) as unknown as Insertable<StateTables['view']>[])
      .returning('id')
      .execute();
    ids.push(...inserted.map(({ id }) => id).toSorted((one, other) => one - other));
  }
  return ids;
}

type TableWithId =
  | 'view'
  | 'key'
  | 'environment'
  | 'environment_secret'
  | 'repository'
  | 'inventory'
  | 'template'
  | 'template_vault'
  | 'schedule'
  | 'integration'
  | 'integration_matcher'
  | 'integration_value';

async function insertEnvironments(
  db: Db,
  keyring: Keyring,
  project_id: number,
  environments: ReadFile['environments'],
): Promise<number[]> {
  const ids = await insertAll(
    db,
    'environment',
    environments.map(({ name, json, env }) => ({ project_id, name, json, env: env ?? null })),
  );
  const secrets = environments.flatMap((environment, at) =>
    (environment.secrets ?? []).map(({ type, name }) => ({
      project_id,
      environment_id: ids[at] ?? 0,
      type,
      name,
      secret: '',
    })),
  );
  for (const id of await insertAll(db, 'environment_secret', secrets)) {
    const secret = sealEnvironmentSecret(keyring, id, '');
    await db
      .updateTable('environment_secret')
      .set({ secret })
      .where('id', '=', id)
      .where('project_id', '=', project_id)
      .execute();
  }
  return ids;
}

type Ids = readonly number[];

async function insertTemplates(
  db: Db,
  project_id: number,
  { templates, inventories }: Pick<ReadFile, 'templates' | 'inventories'>,
  ids: { views: Ids; keys: Ids; environments: Ids; repositories: Ids; inventories: Ids },
): Promise<number[]> {
  const rows = templates.map((template) => {
    const { survey_vars, task_params, ...values } = readTemplate(template).values;
    return {
      ...values,
      project_id,
      inventory_id: idAt(ids.inventories, values.inventory_id),
      repository_id: idAt(ids.repositories, values.repository_id),
      environment_id: idAt(ids.environments, values.environment_id),
      view_id: idAt(ids.views, values.view_id),
      build_template_id: null,
      survey_vars: JSON.stringify(survey_vars),
      task_params: JSON.stringify(task_params),
      last_task_id: null,
    };
  });
  const made = await insertAll(db, 'template', rows);
  // These may name one that stands further down in the file.
  for (const [at, { build_template_id }] of templates.entries()) {
    if (rows[at]?.type !== 'deploy') continue;
    await db
      .updateTable('template')
      .set({ build_template_id: idAt(made, build_template_id) })
      .where('id', '=', made[at] ?? 0)
      .where('project_id', '=', project_id)
      .execute();
  }
  for (const [at, { template_id }] of inventories.entries()) {
    if (!template_id) continue;
    await db
      .updateTable('inventory')
      .set({ template_id: idAt(made, template_id) })
      .where('id', '=', ids.inventories[at] ?? 0)
      .where('project_id', '=', project_id)
      .execute();
  }
  await insertAll(
    db,
    'template_vault',
    templates.flatMap(({ vaults }, at) =>
      (vaults ?? []).map(({ name, type, vault_key_id, script }) => ({
        project_id,
        template_id: made[at] ?? 0,
        name: name ?? null,
        type,
        vault_key_id: type === 'password' ? idAt(ids.keys, vault_key_id) : null,
        script: type === 'script' ? (script ?? null) : null,
      })),
    ),
  );
  return made;
}

async function insertSchedules(
  db: Db,
  { projectId, now }: { projectId: number; now: number },
  schedules: ReadFile['schedules'],
  ids: { templates: Ids; repositories: Ids; inventories: Ids },
): Promise<void> {
  const rows = schedules.map(({ name, template_id, cron_format, timezone, active, repository_id, params }) => {
    const zone = timezone || 'UTC';
    return {
      project_id: projectId,
      template_id: idAt(ids.templates, template_id),
      name: name ?? '',
      cron_format,
      timezone: zone,
      active: active ?? false,
      repository_id: idAt(ids.repositories, repository_id),
      last_commit_hash: null,
      next_fire: active ? (nextFire(cron_format, zone, now) ?? null) : null,
      params: params ? JSON.stringify(placeInventory(params, ids.inventories)) : null,
    };
  });
  await insertAll(db, 'schedule', rows);
}

function placeInventory(params: NonNullable<ReadFile['schedules'][number]['params']>, inventories: Ids): object {
  return params.inventory_id ? { ...params, inventory_id: idAt(inventories, params.inventory_id) } : params;
}

async function insertIntegrations(
  db: Db,
  project_id: number,
  integrations: ReadFile['integrations'],
  ids: { templates: Ids; keys: Ids },
): Promise<number[]> {
  const rows = integrations.map((integration) => ({
    project_id,
    name: integration.name,
    template_id: idAt(ids.templates, integration.template_id),
    auth_method: integration.auth_method ?? ('' as const),
    auth_header: integration.auth_header ?? '',
    auth_secret_id: idAt(ids.keys, integration.auth_secret_id),
    task_params: integration.task_params ? JSON.stringify(integration.task_params) : null,
    searchable: integration.searchable ?? false,
  }));
  const made = await insertAll(db, 'integration', rows);
  const parts = integrations.map(({ matchers, extract_values }, at) => ({
    place: { project_id, integration_id: made[at] ?? 0 },
    matchers,
    extract_values,
  }));
  await insertAll(
    db,
    'integration_matcher',
    parts.flatMap(({ place, matchers }) =>
      matchers.map(({ name, match_type, method, body_data_type, key, value }) => ({
        ...place,
        name,
        match_type,
        method,
        body_data_type: body_data_type || ('string' as const),
        key,
        value,
      })),
    ),
  );
  await insertAll(
    db,
    'integration_value',
    parts.flatMap(({ place, extract_values }) =>
      extract_values.map(({ name, value_source, body_data_type, key, variable }) => ({
        ...place,
        name,
        value_source,
        body_data_type: body_data_type || ('string' as const),
        key: key ?? '',
        variable,
      })),
    ),
  );
  return made;
}

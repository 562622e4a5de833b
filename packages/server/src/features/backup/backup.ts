import type { Backup } from '@signalbox/contract/backup';
import { ScheduleParams } from '@signalbox/contract/schedules';
import { TaskParams } from '@signalbox/contract/tasks';
import { SurveyVariable, TemplateParams } from '@signalbox/contract/templates';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type ProjectRows, readProject } from './queries.ts';
import { makeUnique } from './unique-names.ts';

/** Longest names that the forms of the lists take. */
const longestName = 255;
const longestTitle = 100;

/** The project as one document. Doing it again after a restore gives the same one. */
export async function writeBackup(database: Database, projectId: number): Promise<Backup> {
  const rows = await readProject(database, projectId);
  if (rows === undefined) throw new AppError('not_found', 'There is no such project');
  const names = nameEverything(rows);
  const { name, alert, alert_chat, max_parallel_tasks, type } = rows.project;
  return {
    meta: dropNulls({ name, alert, alert_chat, max_parallel_tasks, type }),
    views: rows.views.map(({ id, position }) => ({ title: names.view(id), position })),
    keys: rows.keys.map(({ id, type: keyType }) => ({ name: names.key(id), type: keyType })),
    environments: listEnvironments(rows, names),
    repositories: rows.repositories.map(({ id, git_url, git_branch, ssh_key_id, host_key_policy }) => ({
      name: names.repository(id),
      git_url,
      git_branch,
      ssh_key: names.key(ssh_key_id),
      host_key_policy,
    })),
    inventories: listInventories(rows, names),
    templates: listTemplates(rows, names),
    schedules: listSchedules(rows, names),
    integrations: listIntegrations(rows, names),
    integration_aliases: rows.aliases.filter(({ integration_id }) => integration_id === null).map(({ alias }) => alias),
  };
}

type Name = { (id: number): string; (id: number | null): string | null };
type Names = Record<'view' | 'key' | 'environment' | 'repository' | 'inventory' | 'template' | 'integration', Name>;

function nameEverything(rows: ProjectRows): Names {
  return {
    view: nameRows(
      rows.views.map(({ id, title }) => ({ id, name: title })),
      longestTitle,
    ),
    key: nameRows(rows.keys, longestName),
    environment: nameRows(rows.environments, longestName),
    repository: nameRows(rows.repositories, longestName),
    inventory: nameRows(rows.inventories, longestName),
    template: nameRows(rows.templates, longestTitle),
    integration: nameRows(rows.integrations, longestName),
  };
}

function nameRows(rows: readonly { id: number; name: string }[], longest: number): Name {
  const unique = makeUnique(
    rows.map(({ name }) => name),
    longest,
  );
  const byId = new Map(rows.map(({ id }, at) => [id, unique[at]]));
  // The database lets nothing refer to a row that is not there.
  return ((id: number | null) => (id === null ? null : (byId.get(id) ?? null))) as Name;
}

/** Members that are null are left out, as the older product does. */
function dropNulls<T extends object>(item: T): T {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)) as T;
}

function listEnvironments({ environments, secrets }: ProjectRows, names: Names): Backup['environments'] {
  const byEnvironment = Map.groupBy(secrets, ({ environment_id }) => environment_id);
  return environments.map(({ id, json, env }) =>
    dropNulls({
      name: names.environment(id),
      json,
      env,
      secrets: (byEnvironment.get(id) ?? []).map(({ type, name }) => ({ type, name })),
    }),
  );
}

function listInventories({ inventories, stateAliases }: ProjectRows, names: Names): Backup['inventories'] {
  const byInventory = Map.groupBy(stateAliases, ({ inventory_id }) => inventory_id);
  return inventories.map(({ id, inventory, type, host_key_policy, ...links }) =>
    dropNulls({
      name: names.inventory(id),
      inventory,
      type,
      host_key_policy,
      ssh_key: names.key(links.ssh_key_id),
      become_key: names.key(links.become_key_id),
      repository: names.repository(links.repository_id),
      template: names.template(links.template_id),
      terraform_aliases: (byInventory.get(id) ?? []).map(({ alias, auth_key_id }) => ({
        alias,
        auth_key: names.key(auth_key_id),
      })),
    }),
  );
}

function listTemplates({ templates, vaults }: ProjectRows, names: Names): Backup['templates'] {
  const byTemplate = Map.groupBy(vaults, ({ template_id }) => template_id);
  return templates.map((row) => {
    const { id, inventory_id, repository_id, environment_id, view_id, build_template_id } = row;
    const { survey_vars, task_params, project_id, last_task_id, task_count, ...values } = row;
    return dropNulls({
      ...values,
      name: names.template(id),
      inventory: names.inventory(inventory_id),
      repository: names.repository(repository_id),
      environment: names.environment(environment_id),
      view: names.view(view_id),
      build_template: names.template(build_template_id),
      survey_vars: z.parse(z.array(SurveyVariable), JSON.parse(survey_vars)),
      vaults: (byTemplate.get(id) ?? []).map(({ name, type, vault_key_id, script }) =>
        dropNulls({ name, type, vault_key: names.key(vault_key_id), script }),
      ),
      task_params: z.parse(TemplateParams, JSON.parse(task_params)),
    });
  });
}

function listSchedules({ schedules }: ProjectRows, names: Names): Backup['schedules'] {
  return schedules.map(({ name, template_id, cron_format, timezone, active, repository_id, params }) =>
    dropNulls({
      name,
      template: names.template(template_id),
      cron_format,
      timezone,
      active,
      checkable_repository: names.repository(repository_id),
      params: params === null ? null : readScheduleParams(params, names),
    }),
  );
}

function readScheduleParams(text: string, names: Names): NonNullable<Backup['schedules'][number]['params']> {
  const { inventory_id, ...params } = z.parse(ScheduleParams, JSON.parse(text));
  return dropNulls({ ...params, inventory: names.inventory(inventory_id ?? null) });
}

function listIntegrations({ aliases, matchers, values, ...rows }: ProjectRows, names: Names): Backup['integrations'] {
  const aliasesOf = Map.groupBy(aliases, ({ integration_id }) => integration_id);
  const matchersOf = Map.groupBy(matchers, ({ integration_id }) => integration_id);
  const valuesOf = Map.groupBy(values, ({ integration_id }) => integration_id);
  return rows.integrations.map((row) =>
    dropNulls({
      name: names.integration(row.id),
      template: names.template(row.template_id),
      auth_method: row.auth_method,
      auth_header: row.auth_header,
      auth_secret: names.key(row.auth_secret_id),
      searchable: row.searchable,
      task_params: row.task_params === null ? null : z.parse(TaskParams, JSON.parse(row.task_params)),
      aliases: (aliasesOf.get(row.id) ?? []).map(({ alias }) => alias),
      matchers: matchersOf.get(row.id) ?? [],
      extract_values: valuesOf.get(row.id) ?? [],
    }),
  );
}

import type { BackupFile } from '@signalbox/contract/backup';
import { findPlace, type LocalNames, type Problems } from './file-check.ts';
import type { Item, Placed } from './file-lists.ts';

/** Items of a file as the forms for such objects would send them, with places instead of names. */

export function describeProject({ name, alert, alert_chat, max_parallel_tasks, type }: BackupFile['meta']) {
  return {
    name,
    alert: alert ?? false,
    alert_chat: alert_chat ?? null,
    max_parallel_tasks: max_parallel_tasks ?? 0,
    type: type ?? '',
  };
}

export function describeEnvironment(problems: Problems, { path, item }: Placed<Item<'environments'>>) {
  const secrets = (item.secrets ?? []).map(({ type, name }) => ({ type, name: name.trim() }));
  const seen = new Set<string>();
  for (const [at, { type, name }] of secrets.entries()) {
    if (seen.has(`${type} ${name}`)) problems.push({ path: `${path}.secrets.${at}`, message: 'is there twice' });
    seen.add(`${type} ${name}`);
  }
  return { name: item.name, json: item.json, env: item.env ?? null, secrets };
}

export function describeRepository(
  problems: Problems,
  names: LocalNames,
  { path, item: { name, git_url, git_branch, ssh_key, host_key_policy } }: Placed<Item<'repositories'>>,
) {
  const ssh_key_id = findPlace(problems, names.key, ssh_key, `${path}.ssh_key`) ?? undefined;
  // Files of an older version say nothing of it.
  return { name, git_url, git_branch: git_branch ?? '', ssh_key_id, host_key_policy: host_key_policy ?? undefined };
}

export function describeInventory(problems: Problems, names: LocalNames, { path, item }: Placed<Item<'inventories'>>) {
  const { name, inventory, type, ssh_key, become_key, repository, template } = item;
  return {
    path,
    name,
    inventory: inventory ?? '',
    type,
    ssh_key_id: findPlace(problems, names.key, ssh_key, `${path}.ssh_key`),
    become_key_id: findPlace(problems, names.key, become_key, `${path}.become_key`),
    repository_id: findPlace(problems, names.repository, repository, `${path}.repository`),
    host_key_policy: item.host_key_policy ?? undefined,
    template_id: findPlace(problems, names.template, template, `${path}.template`),
    terraform_aliases: (item.terraform_aliases ?? []).map(({ alias, auth_key }, at) => ({
      alias,
      auth_key_id: findPlace(problems, names.key, auth_key, `${path}.terraform_aliases.${at}.auth_key`) ?? undefined,
    })),
  };
}

export function describeTemplate(problems: Problems, names: LocalNames, { path, item }: Placed<Item<'templates'>>) {
  const { inventory, repository, environment, view, build_template, vaults, ...values } = item;
  return {
    // What is null there is left out here: forms do not take it everywhere.
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
    inventory_id: findPlace(problems, names.inventory, inventory, `${path}.inventory`),
    repository_id: findPlace(problems, names.repository, repository, `${path}.repository`),
    environment_id: findPlace(problems, names.environment, environment, `${path}.environment`),
    view_id: findPlace(problems, names.view, view, `${path}.view`),
    build_template_id: findPlace(problems, names.template, build_template, `${path}.build_template`),
    survey_vars: (values.survey_vars ?? []).map(dropNulls),
    task_params: dropNulls(values.task_params ?? {}),
    vaults: (vaults ?? []).map(({ name, type, vault_key, script }, at) => ({
      name: name || null,
      type,
      script,
      vault_key_id: findPlace(problems, names.key, vault_key, `${path}.vaults.${at}.vault_key`),
    })),
  };
}

export function describeSchedule(problems: Problems, names: LocalNames, { path, item }: Placed<Item<'schedules'>>) {
  const { name, template, cron_format, timezone, active, checkable_repository, params } = item;
  return {
    name: name ?? '',
    template_id: findPlace(problems, names.template, template, `${path}.template`) ?? undefined,
    cron_format,
    timezone,
    active: active ?? false,
    repository_id: findPlace(problems, names.repository, checkable_repository, `${path}.checkable_repository`),
    params: params && {
      ...dropNulls(params),
      params: params.params && dropNulls(params.params),
      inventory_id: findPlace(problems, names.inventory, params.inventory, `${path}.params.inventory`) ?? undefined,
    },
  };
}

export function describeIntegration(
  problems: Problems,
  names: LocalNames,
  { path, item }: Placed<Item<'integrations'>>,
) {
  return {
    path,
    name: item.name,
    template_id: findPlace(problems, names.template, item.template, `${path}.template`) ?? undefined,
    auth_method: item.auth_method ?? '',
    auth_header: item.auth_header ?? '',
    auth_secret_id: findPlace(problems, names.key, item.auth_secret, `${path}.auth_secret`),
    searchable: item.searchable ?? false,
    task_params: item.task_params && dropNulls(item.task_params),
    aliases: item.aliases ?? [],
    matchers: item.matchers ?? [],
    extract_values: item.extract_values ?? [],
  };
}

function dropNulls(item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

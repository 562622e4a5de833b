import type { Job, JobInventory, JobRepository, JobVault, KeyMaterial } from '@signalbox/contract/job';
import { TemplateParams } from '@signalbox/contract/templates';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Keyring } from '../db/secrets.ts';
import type { RepositoryTable, TemplateTable } from '../db/tables.ts';
import type { JobRows } from './job-rows.ts';
import { joinVariables } from './job-variables.ts';
import { makeStateAccess } from './state-access.ts';
import { openEnvironmentSecret, openKey } from './stored-secrets.ts';
import { readTaskParams, type TaskRow } from './task-record.ts';
import { openAnswers } from './task-secrets.ts';

/**
 * Where the demo's repository is said to be. Where it really is follows from the data directory, which may be moved, and
 * so it is looked up for each job.
 */
export const demoAddress = 'file:///signalbox-demo';

/** What of the installation goes into every job. */
export type JobSettings = {
  /** Public address of the console without a slash at the end; null where it is not known. */
  readonly webUrl: string | null;
  /** Directory of the demo project's repository: the only local path that needs no setting. */
  readonly demoRepository: string | null;
  /** Seconds; 0 = no limit. */
  readonly maxTaskSeconds: number;
  /** Whether Terraform and OpenTofu may keep their state here. */
  readonly stateBackend: boolean;
};

/** A task that cannot be run as it is set up; the message is for a person. */
export class JobProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobProblem';
  }
}

type Parts = { keyring: Keyring; rows: JobRows; settings: JobSettings };

/** Makes the job of a claimed task from the rows as they are now. @throws JobProblem */
export function makeJob(keyring: Keyring, task: TaskRow, rows: JobRows, settings: JobSettings): Job {
  const parts: Parts = { keyring, rows, settings };
  const template = rows.templates.get(task.template_id);
  if (template === undefined) throw new JobProblem('Its template was deleted');
  const variables = readVariables(parts, task, template);
  return {
    task_id: task.id,
    project_id: task.project_id,
    template_id: template.id,
    template_name: template.name,
    task_type: template.type,
    app: readApp(parts, template.app),
    playbook: task.playbook || template.playbook,
    arguments: [...readList(template.arguments), ...readList(task.arguments)],
    params: readParams(task, template),
    repository: readTemplateRepository(parts, task, template),
    commit_hash: task.commit_hash,
    created: task.created,
    inventory: readInventory(parts, task.inventory_id ?? template.inventory_id),
    vaults: (rows.vaults.get(template.id) ?? []).map((vault) => readVault(parts, vault)),
    ...variables,
    state: settings.stateBackend ? makeStateAccess(keyring, task, template.app) : null,
    details: {
      username: rows.usernames.get(task.user_id ?? 0) ?? '',
      url: settings.webUrl && `${settings.webUrl}/project/${task.project_id}/history?t=${task.id}`,
      message: task.message,
      incoming_version: rows.incomingVersions.get(task.id) ?? null,
      target_version: task.version,
    },
    timeout_seconds: shorterLimit(template.timeout_seconds, settings.maxTaskSeconds),
    stop_grace_seconds: template.stop_grace_seconds,
  };
}

function readApp({ rows }: Parts, id: string): Job['app'] {
  const app = rows.apps.get(id);
  return { id, path: app?.path ?? '', args: app?.args == null ? null : readList(app.args) };
}

function readParams(task: TaskRow, template: Selectable<TemplateTable>): Job['params'] {
  const params = readTaskParams(task.params);
  const defaults = z.parse(TemplateParams, JSON.parse(template.task_params));
  return {
    debug: params.debug ?? false,
    dry_run: params.dry_run ?? false,
    diff: params.diff ?? false,
    plan: params.plan ?? false,
    destroy: params.destroy ?? false,
    auto_approve: params.auto_approve ?? false,
    upgrade: params.upgrade ?? false,
    reconfigure: params.reconfigure ?? false,
    limit: params.limit ?? defaults.limit,
    tags: params.tags ?? defaults.tags,
    skip_tags: params.skip_tags ?? defaults.skip_tags,
  };
}

function readVariables(parts: Parts, task: TaskRow, template: Selectable<TemplateTable>) {
  const { keyring, rows } = parts;
  const environment = rows.environments.get(template.environment_id ?? 0);
  const secrets = rows.environmentSecrets.get(template.environment_id ?? 0) ?? [];
  const opened = secrets.map((secret) => ({
    ...secret,
    value: openOrExplain(`the secret "${secret.name}" of its variable group`, () =>
      openEnvironmentSecret(keyring, secret),
    ),
  }));
  const ofType = (type: 'var' | 'env') =>
    Object.fromEntries(opened.filter((secret) => secret.type === type).map((secret) => [secret.name, secret.value]));
  const answers = rows.answers.get(task.id);
  const given = answers ? openOrExplain('its secret answers', () => openAnswers(keyring, answers)) : {};
  const launched = { plain: readObject(task.environment), secret: given };
  const variables = joinVariables([{ plain: readObject(environment?.json), secret: ofType('var') }, launched]);
  const process = joinVariables([{ plain: readObject(environment?.env), secret: ofType('env') }]);
  return {
    variables: variables.plain,
    secret_variables: variables.secret,
    given_variables: [...new Set([...Object.keys(launched.plain), ...Object.keys(launched.secret)])],
    // The contract checks on saving that all of them are texts.
    env: process.plain as Record<string, string>,
    secret_env: process.secret,
  };
}

function readTemplateRepository(parts: Parts, task: TaskRow, template: Selectable<TemplateTable>): JobRepository {
  const repository = parts.rows.repositories.get(template.repository_id ?? 0);
  if (repository === undefined) throw new JobProblem('Its template has no repository');
  return readRepository(parts, repository, task.git_branch || template.git_branch);
}

function readRepository(parts: Parts, repository: Selectable<RepositoryTable>, branch: string | null): JobRepository {
  return {
    id: repository.id,
    ...locateRepository(repository.git_url, parts.settings),
    branch: branch || repository.git_branch,
    key: openKeyById(parts, repository.ssh_key_id),
    host_key_policy: repository.host_key_policy,
  };
}

/** The demo's repository may be used although no setting names its directory. */
export function locateRepository(
  url: string,
  { demoRepository }: Pick<JobSettings, 'demoRepository'>,
): Pick<JobRepository, 'url' | 'trusted'> {
  if (demoRepository === null) return { url, trusted: false };
  const isDemo = [demoAddress, demoRepository, `file://${demoRepository}`].includes(url);
  return isDemo ? { url: demoRepository, trusted: true } : { url, trusted: false };
}

function readInventory(parts: Parts, id: number | null): JobInventory | null {
  const inventory = parts.rows.inventories.get(id ?? 0);
  if (inventory === undefined) return null;
  const repository = parts.rows.repositories.get(inventory.repository_id ?? 0);
  return {
    type: inventory.type,
    content: inventory.inventory,
    ssh_key: openKeyById(parts, inventory.ssh_key_id),
    become_key: openKeyById(parts, inventory.become_key_id),
    host_key_policy: inventory.host_key_policy,
    repository: repository === undefined ? null : readRepository(parts, repository, null),
  };
}

type VaultRow = JobRows['vaults'] extends ReadonlyMap<number, readonly (infer Row)[]> ? Row : never;

function readVault(parts: Parts, vault: VaultRow): JobVault {
  const name = vault.name ?? 'default';
  if (vault.type === 'script') return { type: 'script', name, script: vault.script ?? '' };
  const key = openKeyById(parts, vault.vault_key_id);
  if (key.type !== 'login_password') throw new JobProblem(`The key of its vault "${name}" has no password`);
  return { type: 'password', name, password: key.password };
}

function openKeyById({ keyring, rows }: Parts, id: number | null): KeyMaterial {
  const key = rows.keys.get(id ?? 0);
  if (key === undefined) return { type: 'none' };
  return openOrExplain(`the key "${key.name}"`, () => openKey(keyring, key));
}

function openOrExplain<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new JobProblem(
      `This server cannot decrypt ${what}: its encryption key is another one, or the value is damaged`,
      {
        cause: error,
      },
    );
  }
}

const readList = (json: string | null): string[] => (json ? (JSON.parse(json) as string[]) : []);
const readObject = (json: string | null | undefined): Record<string, unknown> =>
  json ? (JSON.parse(json) as Record<string, unknown>) : {};

function shorterLimit(ofTemplate: number, ofServer: number): number {
  if (ofTemplate === 0 || ofServer === 0) return ofTemplate + ofServer;
  return Math.min(ofTemplate, ofServer);
}

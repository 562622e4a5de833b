import type { Job, JobVault } from '@signalbox/contract/job';
import { threeSteps } from '../process/escalation.ts';
import { TaskFailure } from '../task-failure.ts';
import {
  type Adapter,
  nameCommand,
  plainStep,
  type Requirement,
  type Room,
  type Step,
  type TaskFile,
} from './adapter.ts';
import { describeTask } from './task-details.ts';

const names = {
  variables: 'extra-vars.json',
  connection: 'connection-password',
  become: 'become-password',
};

/** The suffix matters: by it Ansible knows in which language an inventory is written. */
export function inventoryName(job: Job): string | null {
  if (job.inventory?.type === 'static') return 'inventory';
  if (job.inventory?.type === 'static-yaml') return 'inventory.yml';
  return null;
}

/**
 * Marks every text in a value as one that Ansible passes on and never evaluates: without it `{{ lookup('pipe', 'id') }}` as an
 * answer would run on this machine. The key is what Ansible's own JSON has for such texts, in every version that we support.
 */
function makeLiteral(value: unknown): unknown {
  if (typeof value === 'string') return { __ansible_unsafe: value };
  if (Array.isArray(value)) return value.map(makeLiteral);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, makeLiteral(member)]));
}

/** Variables of the variable group are written by whoever may write playbooks, so they may hold expressions. Others are literal. */
function listVariables(job: Job): Record<string, unknown> {
  const given = new Set(job.given_variables);
  const entries = Object.entries({ ...job.variables, ...job.secret_variables });
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, given.has(name) ? makeLiteral(value) : value])),
    semaphore_vars: makeLiteral({ task_details: describeTask(job) }),
  };
}

function listFiles(job: Job): TaskFile[] {
  const variables = listVariables(job);
  const files: TaskFile[] = [{ name: names.variables, content: JSON.stringify(variables) }];
  const inventory = inventoryName(job);
  if (inventory !== null) files.push({ name: inventory, content: job.inventory?.content ?? '' });
  const { ssh_key: connection, become_key: become } = job.inventory ?? {};
  if (connection?.type === 'login_password') files.push({ name: names.connection, content: connection.password });
  if (become?.type === 'login_password') files.push({ name: names.become, content: become.password });
  for (const [index, vault] of job.vaults.entries()) {
    if (vault.type === 'password') files.push({ name: vaultName(index), content: vault.password });
  }
  return files;
}

function vaultName(index: number): string {
  return `vault-password-${index}`;
}

function listKeyArguments(job: Job, room: Room): string[] {
  const args: string[] = [];
  const { ssh_key: connection, become_key: become } = job.inventory ?? {};
  if (connection !== undefined && connection.type !== 'none' && connection.login !== '') {
    args.push(`--user=${connection.login}`);
  }
  if (connection?.type === 'login_password') args.push(`--connection-password-file=${room.pathOf(names.connection)}`);
  if (become?.type === 'login_password') {
    if (become.login !== '') args.push(`--become-user=${become.login}`);
    args.push(`--become-password-file=${room.pathOf(names.become)}`);
  }
  return args;
}

function makeVaultArgument(vault: JobVault, index: number, room: Room): string {
  const name = vault.name === '' ? 'default' : vault.name;
  if (name.includes('@')) throw new TaskFailure(`The vault "${name}" cannot be used: its name has an @`);
  const path = vault.type === 'password' ? room.pathOf(vaultName(index)) : room.vaultScripts.get(vault.script);
  return `--vault-id=${name}@${path}`;
}

function listParams(job: Job): string[] {
  const { params } = job;
  const args: string[] = [];
  if (params.debug) args.push('-vvvv');
  if (params.diff) args.push('--diff');
  if (params.dry_run) args.push('--check');
  // One word each: a value that begins with a dash stays a value.
  if (params.limit.length > 0) args.push(`--limit=${params.limit.join(',')}`);
  if (params.tags.length > 0) args.push(`--tags=${params.tags.join(',')}`);
  if (params.skip_tags.length > 0) args.push(`--skip-tags=${params.skip_tags.join(',')}`);
  return args;
}

function makeGalaxyStep(requirement: Requirement, room: Room): Step {
  const { kind, file, cache } = requirement;
  const target = cache === null ? [] : [`--${kind === 'role' ? 'roles' : 'collections'}-path=${cache.temporary}`];
  return {
    ...plainStep,
    title: `Installing what ${file} asks for (${kind}s)`,
    file: 'ansible-galaxy',
    args: [kind, 'install', '--force', `--${kind === 'role' ? 'role-file' : 'requirements-file'}=${file}`, ...target],
    // What belongs to the task wins: git's own HOME is not for what Galaxy leaves there.
    env: { ...room.gitEnv, ...room.env },
    cwd: room.tree,
    usesKey: true,
    fills: cache === null ? null : { ...cache, isThere: `${file} has not changed: its ${kind}s are here already` },
  };
}

function listGalaxyPaths(room: Room): Record<string, string> {
  const env: Record<string, string> = {};
  const list = (kind: Requirement['kind']): string[] =>
    room.requirements.flatMap((item) => (item.kind === kind && item.cache !== null ? [item.cache.final] : []));
  const collections = list('collection');
  const roles = list('role');
  if (collections.length > 0) {
    env.ANSIBLE_COLLECTIONS_PATH = [...collections, '~/.ansible/collections', '/usr/share/ansible/collections'].join(
      ':',
    );
  }
  if (roles.length > 0) {
    env.ANSIBLE_ROLES_PATH = [...roles, '~/.ansible/roles', '/usr/share/ansible/roles', '/etc/ansible/roles'].join(':');
  }
  return env;
}

function listSteps(job: Job, room: Room): Step[] {
  const play: Step = {
    ...plainStep,
    title: `Running ${nameCommand(job, ansible)} ${room.playbook}`,
    file: room.command,
    args: [
      ...(job.app.args ?? []),
      ...(room.inventory === null ? [] : [`--inventory=${room.inventory}`]),
      ...listKeyArguments(job, room),
      ...job.vaults.map((vault, index) => makeVaultArgument(vault, index, room)),
      `--extra-vars=@${room.pathOf(names.variables)}`,
      ...listParams(job),
      ...job.arguments,
      room.playbook,
    ],
    env: { ANSIBLE_FORCE_COLOR: 'True', ...listGalaxyPaths(room), ...room.env },
    cwd: room.tree,
  };
  return [...room.requirements.map((requirement) => makeGalaxyStep(requirement, room)), play];
}

export const ansible: Adapter = {
  commands: ['ansible-playbook'],
  place: 'file',
  stop: threeSteps,
  listFiles,
  listSteps,
};

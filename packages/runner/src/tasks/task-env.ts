import { join } from 'node:path';
import type { HostKeyPolicy } from '@signalbox/contract/host-keys';
import type { Job } from '@signalbox/contract/job';
import { listKeySecrets, listRepositorySecrets } from '../prepare/key-secrets.ts';
import { listHostKeySettings } from '../prepare/known-hosts.ts';
import { readAnsibleSettings } from '../prepare/requirements.ts';
import { runnerMark, taskMark } from '../process/marked-processes.ts';
import { listTaskVariables } from '../tools/task-details.ts';

export type EnvSources = {
  toolEnv: Record<string, string>;
  home: string;
  secrets: string;
  user: string;
  marks: { runner: string; task: string };
  /** Socket of the agent that holds the inventory's key. */
  agent: string | null;
  knownHosts: string;
};

/** Where ssh keeps its shared connections: in the task's short directory, for the paths of sockets must be short. */
export function controlPathOf(secrets: string): string {
  return join(secrets, 'cp');
}

/** Ansible's own settings, where neither the variable group nor, for a policy that nobody has chosen, the repository says otherwise. */
function listAnsibleVariables(policy: HostKeyPolicy, settings: string, sources: EnvSources): Record<string, string> {
  const env: Record<string, string> = { ANSIBLE_SSH_CONTROL_PATH_DIR: controlPathOf(sources.secrets) };
  const words = listHostKeySettings(policy, sources.knownHosts).map((setting) => `-o '${setting}'`);
  if (policy !== 'accept-new') {
    // Chosen for this inventory by a person, and more than what whoever wrote the code has said.
    env.ANSIBLE_HOST_KEY_CHECKING = policy === 'strict' ? 'True' : 'False';
    env.ANSIBLE_SSH_COMMON_ARGS = words.join(' ');
  } else if (!/^\s*(ssh_common_args|host_key_checking)\s*=/m.test(settings)) {
    env.ANSIBLE_SSH_COMMON_ARGS = words.join(' ');
  }
  return env;
}

/**
 * The environment of every process of a task, built from nothing: what the operator passes on, what the task needs, what the
 * variable group says, and last what must not be changed because it finds the processes again.
 */
export function makeTaskEnv(job: Job, tree: string, sources: EnvSources): Record<string, string> {
  const policy = job.inventory?.host_key_policy ?? 'accept-new';
  return {
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ...sources.toolEnv,
    HOME: sources.home,
    TMPDIR: sources.home,
    USER: sources.user,
    LOGNAME: sources.user,
    PYTHONUNBUFFERED: '1',
    ...(job.app.id === 'ansible' ? listAnsibleVariables(policy, readAnsibleSettings(tree), sources) : {}),
    ...job.env,
    ...job.secret_env,
    ...listTaskVariables(job),
    ...(sources.agent === null ? {} : { SSH_AUTH_SOCK: sources.agent }),
    [runnerMark]: sources.marks.runner,
    [taskMark]: sources.marks.task,
  };
}

/** Everything that must not be seen in a log. */
export function listSecrets(job: Job): string[] {
  const secrets = [
    ...Object.values(job.secret_variables),
    ...Object.values(job.secret_env),
    job.state?.password ?? '',
    ...listRepositorySecrets(job.repository),
    ...listRepositorySecrets(job.inventory?.repository),
    ...listKeySecrets(job.inventory?.ssh_key),
    ...listKeySecrets(job.inventory?.become_key),
    ...job.vaults.flatMap((vault) => (vault.type === 'password' ? [vault.password] : [])),
  ];
  return secrets.filter((secret) => secret !== '');
}

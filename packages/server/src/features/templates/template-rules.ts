import type { FieldProblem } from '@signalbox/contract/errors';
import { isInsidePath } from '@signalbox/contract/inventories';
import { type TemplateChange, type TemplateInput, TemplateParams, type Vault } from '@signalbox/contract/templates';
import * as z from 'zod/mini';
import type { TemplateValues } from './queries.ts';

/** Apps that take a directory of code instead of a playbook; empty = the root of the repository. */
const codeApps: readonly string[] = ['terraform', 'tofu', 'pulumi'];

const fresh: Omit<TemplateValues, 'name' | 'app'> = {
  description: '',
  type: '',
  playbook: '',
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
  survey_vars: [],
  task_params: z.parse(TemplateParams, {}),
  runner_tag: null,
  suppress_success_alerts: false,
  timeout_seconds: 0,
  stop_grace_seconds: null,
};

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** What is stored after a request: what it does not say stays, and what has no meaning for the type is cleared. */
export function mergeTemplate(
  stored: TemplateValues | undefined,
  { project_id: _project, vaults: _vaults, ...input }: TemplateInput | TemplateChange,
): TemplateValues {
  const given = Object.fromEntries(
    Object.entries(input).filter(([key, value]) => key !== 'id' && value !== undefined),
  ) as Given<typeof input>; // undefined is what was just taken out
  const merged = { ...(stored ?? fresh), ...given };
  const isBuild = merged.type === 'build';
  const isDeploy = merged.type === 'deploy';
  return {
    ...merged,
    description: merged.description ?? '',
    survey_vars: merged.survey_vars ?? [],
    task_params: merged.task_params ?? fresh.task_params,
    // An empty text is how forms say "none".
    arguments: merged.arguments || null,
    git_branch: merged.git_branch || null,
    runner_tag: merged.runner_tag || null,
    start_version: isBuild ? merged.start_version || null : null,
    build_template_id: isDeploy ? merged.build_template_id : null,
    autorun: isDeploy && merged.autorun,
  };
}

/** What is wrong with a template by itself, without a look at what it names. */
export function findProblems(template: TemplateValues, vaults: readonly Vault[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const check = (isWrong: boolean, path: string, message = 'is required') => {
    if (isWrong) problems.push({ path, message });
  };
  const { app, type, playbook } = template;
  check(template.repository_id === null, 'repository_id');
  check(app === 'ansible' && template.inventory_id === null, 'inventory_id');
  check(playbook === '' && !codeApps.includes(app), 'playbook');
  check(playbook !== '' && !isInsidePath(playbook), 'playbook', 'must be a path inside the repository');
  check(type === 'build' && template.start_version === null, 'start_version');
  check(type === 'deploy' && template.build_template_id === null, 'build_template_id');
  return [...problems, ...findVaultProblems(vaults)];
}

function findVaultProblems(vaults: readonly Vault[]): FieldProblem[] {
  const names = new Set<string>();
  return vaults.flatMap((vault, at) => {
    const problems: FieldProblem[] = [];
    const name = vault.name ?? '';
    if (names.has(name)) {
      const message = name === '' ? 'There can be only one default vault' : 'is there twice';
      problems.push({ path: `vaults.${at}.name`, message });
    }
    names.add(name);
    if (vault.type === 'password' && !vault.vault_key_id) {
      problems.push({ path: `vaults.${at}.vault_key_id`, message: 'is required' });
    }
    if (vault.type === 'script' && !vault.script)
      problems.push({ path: `vaults.${at}.script`, message: 'is required' });
    return problems;
  });
}

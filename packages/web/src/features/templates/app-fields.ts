import { type MessageKey, t } from '../../lib/i18n.ts';

/** How the form of a template differs from app to app. */
export type AppFields = {
  /** What the path of the code is called. */
  path: MessageKey;
  pathExample: string;
  /** Terraform and its kin take a directory, and the root of the repository is one. */
  isPathRequired: boolean;
  isInventoryRequired: boolean;
  isEnvironmentRequired: boolean;
  /** Limit, tags, skipped tags, debug output and vaults. */
  isAnsible: boolean;
  /** Plans wait for a confirmation, unless they are approved beforehand. */
  hasPlans: boolean;
};

const script: AppFields = {
  path: 'templates.script',
  pathExample: 'ops/run.sh',
  isPathRequired: true,
  isInventoryRequired: false,
  isEnvironmentRequired: false,
  isAnsible: false,
  hasPlans: false,
};
const code: AppFields = {
  ...script,
  path: 'templates.directory',
  pathExample: 'envs/prod',
  isPathRequired: false,
  hasPlans: true,
};

const fields: Record<string, AppFields> = {
  ansible: {
    path: 'templates.playbook',
    pathExample: 'deploy/site.yml',
    isPathRequired: true,
    isInventoryRequired: true,
    isEnvironmentRequired: true,
    isAnsible: true,
    hasPlans: false,
  },
  terraform: code,
  tofu: code,
  pulumi: code,
  python: { ...script, pathExample: 'reports/cost.py' },
  powershell: { ...script, pathExample: 'ops/run.ps1' },
};

/** An app that an administrator has added is an interpreter for scripts. */
export function readAppFields(app: string): AppFields {
  return fields[app] ?? script;
}

const names: Record<string, string> = {
  ansible: 'Ansible',
  terraform: 'Terraform',
  tofu: 'OpenTofu',
  pulumi: 'Pulumi',
  bash: 'Bash',
  python: 'Python',
  powershell: 'PowerShell',
};

/** The title of an app while the list of apps is not there yet. */
export function nameApp(app: string): string {
  return names[app] ?? app;
}

export function describeType(type: '' | 'build' | 'deploy'): string {
  const words = { '': 'templates.typeTask', build: 'templates.typeBuild', deploy: 'templates.typeDeploy' } as const;
  return t(words[type]);
}

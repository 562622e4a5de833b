import { type Template, TemplateChange, TemplateInput } from '@signalbox/contract/templates';
import { describe, expect, it } from 'vitest';
import {
  copyOf,
  draftOf,
  findTemplateProblems,
  newDraft,
  type TemplateDraft,
  toTemplateInput,
} from './template-draft.ts';
import { newVault } from './vault-draft.ts';

const complete: TemplateDraft = {
  ...newDraft('ansible'),
  name: ' Deploy API ',
  playbook: 'deploy/site.yml',
  repositoryId: '2',
  inventoryId: '3',
  environmentId: '4',
};

const stored: Template = {
  id: 12,
  project_id: 1,
  name: 'Deploy API',
  description: 'Rolls out',
  app: 'ansible',
  type: 'deploy',
  playbook: 'deploy/site.yml',
  inventory_id: 3,
  repository_id: 2,
  environment_id: 4,
  view_id: 9,
  build_template_id: 5,
  start_version: null,
  autorun: true,
  arguments: '["-e","a=b"]',
  allow_override_args_in_task: true,
  allow_parallel_tasks: true,
  git_branch: 'next',
  survey_vars: [
    {
      name: 'region',
      title: 'Region',
      description: 'Where',
      type: 'enum',
      required: true,
      values: [{ name: 'EU', value: 'eu' }],
    },
  ],
  vaults: [
    { id: 1, name: null, type: 'password', vault_key_id: 6, script: null },
    { id: 2, name: 'prod', type: 'script', vault_key_id: null, script: 'vault/open-client.sh' },
  ],
  task_params: {
    limit: ['web'],
    tags: ['a'],
    skip_tags: ['b'],
    allow_override_inventory: true,
    allow_override_limit: true,
    allow_override_tags: true,
    allow_override_skip_tags: true,
    allow_debug: true,
    auto_approve: false,
  },
  runner_tag: 'eu',
  suppress_success_alerts: true,
  timeout_seconds: 600,
  stop_grace_seconds: 30,
  tasks: 3,
  last_task_id: null,
  last_task: null,
};

describe('editing a template', () => {
  it('changes nothing when nothing was changed', () => {
    const { id: _id, project_id: _project, tasks: _tasks, last_task_id: _last, last_task: _item, ...fields } = stored;
    expect(toTemplateInput(draftOf(stored))).toEqual(fields);
    expect(TemplateChange.safeParse({ ...toTemplateInput(draftOf(stored)), id: 12 }).success).toBe(true);
  });

  it('copies everything under a new name, with vaults of its own', () => {
    const copy = toTemplateInput(copyOf(stored));
    expect(copy.name).toBe('Deploy API (copy)');
    expect(copy.vaults?.map((vault) => [vault.id, vault.name])).toEqual([
      [undefined, null],
      [undefined, 'prod'],
    ]);
    expect(copy).toMatchObject({ survey_vars: stored.survey_vars, arguments: stored.arguments, build_template_id: 5 });
  });

  it.each(['survey_vars', 'vaults'])('refuses to copy a template whose %s are missing', (member) => {
    const { [member as 'vaults']: _, ...rest } = stored;
    expect(() => copyOf(rest as Template)).toThrow('cannot be copied');
  });
});

describe('what a form sends', () => {
  it('is what the contract takes', () => {
    expect(TemplateInput.safeParse(toTemplateInput(complete)).success).toBe(true);
    expect(toTemplateInput(complete)).toMatchObject({
      name: 'Deploy API',
      runner_tag: null,
      arguments: null,
      timeout_seconds: 0,
    });
  });

  it('has no build of a template that is none, and no version of one that builds nothing', () => {
    const draft = { ...complete, startVersion: '1.0.0', buildTemplateId: '5', autorun: true };
    expect(toTemplateInput(draft)).toMatchObject({ start_version: null, build_template_id: null, autorun: false });
    expect(toTemplateInput({ ...draft, type: 'build' })).toMatchObject({
      start_version: '1.0.0',
      build_template_id: null,
    });
    expect(toTemplateInput({ ...draft, type: 'deploy' })).toMatchObject({ build_template_id: 5, autorun: true });
  });

  it('approves plans beforehand only where there are plans', () => {
    expect(toTemplateInput({ ...complete, autoApprove: true }).task_params?.auto_approve).toBe(false);
    for (const app of ['terraform', 'tofu', 'pulumi']) {
      expect(toTemplateInput({ ...complete, app, autoApprove: true }).task_params?.auto_approve).toBe(true);
    }
  });

  it('has nothing of Ansible for a script', () => {
    const input = toTemplateInput({ ...draftOf(stored), app: 'bash' });
    expect(input.vaults).toEqual([]);
    expect(input.task_params).toMatchObject({
      limit: [],
      tags: [],
      skip_tags: [],
      allow_debug: false,
      allow_override_limit: false,
    });
  });
});

describe('what is wrong with a template', () => {
  it.each<[string, TemplateDraft, Record<string, string>]>([
    ['nothing', complete, {}],
    [
      'all that Ansible needs is missing',
      newDraft('ansible'),
      {
        name: 'Name is required',
        playbook: 'Playbook filename is required',
        repository_id: 'Repository is required',
        inventory_id: 'Inventory is required',
        environment_id: 'Variable group is required',
      },
    ],
    [
      'all that a script needs is missing',
      newDraft('bash'),
      { name: 'Name is required', playbook: 'Script filename is required', repository_id: 'Repository is required' },
    ],
    ['a build has no start version', { ...complete, type: 'build' }, { start_version: 'Start version is required' }],
    [
      'a deploy has no build template',
      { ...complete, type: 'deploy' },
      { build_template_id: 'Build template is required' },
    ],
    [
      'commits are looked for in no repository',
      { ...complete, commitCheck: { isOn: true, repositoryId: null, cron: '* * * * *' } },
      { cron_repository: 'Repository to check is required' },
    ],
    ['a branch is none', { ...complete, gitBranch: '-x' }, { git_branch: 'Branch is not a branch name' }],
  ])('%s', (_name, draft, expected) => {
    expect(findTemplateProblems(draft)).toEqual(expected);
  });

  it('is not that the root of a repository is the directory of Terraform', () => {
    const draft = { ...complete, app: 'terraform', playbook: '' };
    expect(findTemplateProblems(draft)).toEqual({});
  });
});

describe('vaults', () => {
  const password = { ...newVault(), vaultKeyId: '6' };
  const script = { ...newVault(), name: 'prod', type: 'script' as const, script: 'vault/open-client.py' };

  it.each<[string, TemplateDraft['vaults'], Record<string, string>]>([
    ['one default and one with a name', [password, script], {}],
    ['two without a name', [password, { ...password }], { 'vaults.1.name': 'There can be only one default vault.' }],
    [
      'two whose names differ in case and spaces only',
      [{ ...password, name: ' Prod ' }, script],
      { 'vaults.1.name': 'Another vault has this name.' },
    ],
    [
      'a name with a space',
      [{ ...password, name: 'a b' }],
      { 'vaults.0.name': 'Letters, digits, dots, dashes and underscores.' },
    ],
    ['a password without a key', [newVault()], { 'vaults.0.vault_key_id': 'Vault password is required' }],
    ['a script without a path', [{ ...script, script: ' ' }], { 'vaults.0.script': 'Script is required' }],
    [
      'a script of another name',
      [{ ...script, script: 'open.sh' }],
      { 'vaults.0.script': "The name must end with '-client', with or without an extension." },
    ],
    [
      'a script outside of the repository',
      [{ ...script, script: '../x-client' }],
      { 'vaults.0.script': expect.any(String) },
    ],
  ])('%s', (_name, vaults, expected) => {
    expect(findTemplateProblems({ ...complete, vaults })).toEqual(expected);
  });

  it('have lower case names', () => {
    expect(toTemplateInput({ ...complete, vaults: [{ ...password, name: ' Prod ' }] }).vaults?.[0]?.name).toBe('prod');
  });
});

import { Launch, type Task } from '@signalbox/contract/tasks';
import type { SurveyVariable, Template } from '@signalbox/contract/templates';
import { describe, expect, it } from 'vitest';
import { findLaunchProblems, listLaunchTitles, startDraft, toLaunch } from './launch-draft.ts';

const region: SurveyVariable = {
  name: 'region',
  title: 'Region',
  description: '',
  type: 'enum',
  required: true,
  values: [
    { name: 'Europe', value: 'eu-central-1' },
    { name: 'America', value: 'us-east-1' },
  ],
};
const batch: SurveyVariable = {
  name: 'batch',
  title: 'Batch size',
  description: '',
  type: 'int',
  required: true,
  values: [],
};
const note: SurveyVariable = { name: 'note', title: 'Note', description: '', type: '', required: false, values: [] };
const token: SurveyVariable = {
  name: 'token',
  title: 'Deploy token',
  description: '',
  type: 'secret',
  required: true,
  values: [],
};

function makeTemplate(change: Partial<Template> = {}): Template {
  return {
    id: 4,
    project_id: 1,
    name: 'Deploy API',
    description: '',
    app: 'ansible',
    type: '',
    playbook: 'deploy.yml',
    inventory_id: 7,
    repository_id: 1,
    environment_id: null,
    view_id: null,
    build_template_id: null,
    start_version: null,
    autorun: false,
    arguments: null,
    allow_override_args_in_task: false,
    allow_parallel_tasks: false,
    git_branch: null,
    survey_vars: [region, batch, note, token],
    vaults: [],
    task_params: {
      limit: ['web'],
      tags: [],
      skip_tags: [],
      allow_override_inventory: false,
      allow_override_limit: false,
      allow_override_tags: false,
      allow_override_skip_tags: false,
      allow_debug: false,
      auto_approve: false,
    },
    runner_tag: null,
    suppress_success_alerts: false,
    timeout_seconds: 0,
    stop_grace_seconds: null,
    tasks: 0,
    last_task_id: null,
    last_task: null,
    ...change,
  };
}

const open = makeTemplate({
  allow_override_args_in_task: true,
  task_params: {
    ...makeTemplate().task_params,
    allow_override_inventory: true,
    allow_override_limit: true,
    allow_override_tags: true,
    allow_override_skip_tags: true,
    allow_debug: true,
  },
});

const older = {
  environment: '{"region":"us-east-1","batch":4,"note":"again","token":"leaked?","gone":"x"}',
  params: { diff: true, limit: ['db'], tags: ['packages'] },
  message: 'Roll out',
  build_task_id: 12,
  inventory_id: 9,
  arguments: '["--flush-cache"]',
  commit_hash: 'abcdef1234',
} as Partial<Task> as Task;

describe('the form of a launch', () => {
  it('begins with the defaults of the template', () => {
    expect(startDraft(makeTemplate())).toMatchObject({
      answers: { region: '', batch: '', note: '', token: '' },
      limit: ['web'],
      inventoryId: '7',
      diff: false,
    });
  });

  it('takes over the values of an older task, but neither its secrets nor its commit', () => {
    expect(startDraft(open, older)).toMatchObject({
      message: 'Roll out',
      answers: { region: 'us-east-1', batch: '4', note: 'again', token: '' },
      diff: true,
      limit: ['db'],
      tags: ['packages'],
      inventoryId: '9',
      buildTaskId: '12',
      arguments: ['--flush-cache'],
      commitHash: '',
    });
  });

  it('begins with the auto approval of the template, and after that with the one of the older task', () => {
    const template = makeTemplate({
      app: 'terraform',
      task_params: { ...makeTemplate().task_params, auto_approve: true },
    });
    expect(startDraft(template).autoApprove).toBe(true);
    expect(startDraft(template, older).autoApprove).toBe(false);
    expect(startDraft(template, { ...older, params: { destroy: true, auto_approve: true } })).toMatchObject({
      destroy: true,
      autoApprove: true,
    });
  });

  it('leaves a choice open that is not offered any more', () => {
    const template = makeTemplate({ survey_vars: [{ ...region, values: [{ name: 'Asia', value: 'ap-1' }] }] });
    expect(startDraft(template, older).answers).toEqual({ region: '' });
  });

  it('survives an older task whose values are no JSON', () => {
    expect(startDraft(makeTemplate(), { ...older, environment: 'x', arguments: '{' }).answers.region).toBe('');
  });
});

describe('what is wrong with a launch', () => {
  const draft = { ...startDraft(makeTemplate()), answers: { region: 'us-east-1', batch: '4', note: '', token: 'x' } };

  it.each<[string, Parameters<typeof findLaunchProblems>, Record<string, string>]>([
    ['nothing', [makeTemplate(), draft], {}],
    [
      'a required answer is missing',
      [makeTemplate(), { ...draft, answers: {} }],
      {
        'environment.region': 'Region is required',
        'environment.batch': 'Batch size is required',
        'environment.token': 'Deploy token is required',
      },
    ],
    [
      'a number is none',
      [makeTemplate(), { ...draft, answers: { ...draft.answers, batch: 'four' } }],
      { 'environment.batch': 'Must be an integer' },
    ],
    [
      'a number has a sign',
      [makeTemplate(), { ...draft, answers: { ...draft.answers, batch: '-4' } }],
      { 'environment.batch': 'Must be an integer' },
    ],
    [
      'a deploy has no build',
      [makeTemplate({ type: 'deploy' }), draft],
      { build_task_id: 'Build version is required' },
    ],
    [
      'a commit is no hash',
      [makeTemplate(), { ...draft, commitHash: 'main' }],
      { commit_hash: '7 to 64 hexadecimal digits' },
    ],
  ])('%s', (_name, given, expected) => {
    expect(findLaunchProblems(...given)).toEqual(expected);
  });

  it('has a title for every field, so that a refusal of the server finds its place', () => {
    expect(Object.keys(listLaunchTitles(makeTemplate()))).toEqual(
      expect.arrayContaining([
        'environment.region',
        'environment.token',
        'build_task_id',
        'params.limit',
        'inventory_id',
      ]),
    );
  });
});

describe('what a launch sends', () => {
  const draft = {
    ...startDraft(open, older),
    answers: { region: 'us-east-1', batch: ' 4 ', note: '', token: 's3cret' },
    debug: true,
  };

  it('keeps secret answers apart and leaves empty ones out', () => {
    const launch = toLaunch(makeTemplate(), draft);
    expect(JSON.parse(launch.environment ?? '')).toEqual({ region: 'us-east-1', batch: '4' });
    expect(JSON.parse(launch.secret ?? '')).toEqual({ token: 's3cret' });
  });

  it('says nothing of what the template does not let be set', () => {
    const launch = toLaunch(makeTemplate(), draft);
    expect(launch).not.toHaveProperty('inventory_id');
    expect(launch).not.toHaveProperty('arguments');
    expect(launch).not.toHaveProperty('build_task_id');
    expect(launch.params).toEqual({ dry_run: false, diff: true });
  });

  it('says all that the template lets be set', () => {
    expect(toLaunch(open, draft)).toMatchObject({
      params: { debug: true, dry_run: false, diff: true, limit: ['db'], tags: ['packages'], skip_tags: [] },
      inventory_id: 9,
      arguments: '["--flush-cache"]',
    });
  });

  it('has no switches for a script', () => {
    expect(toLaunch({ ...open, app: 'bash' }, draft).params).toEqual({});
  });

  it('has the switches of Terraform and OpenTofu, and those of Pulumi', () => {
    const planned = { ...draft, plan: true, upgrade: true };
    const all = { plan: true, destroy: false, auto_approve: false, upgrade: true, reconfigure: false };
    expect(toLaunch({ ...open, app: 'terraform' }, planned).params).toEqual(all);
    expect(toLaunch({ ...open, app: 'tofu' }, planned).params).toEqual(all);
    const { plan, destroy, auto_approve } = all;
    expect(toLaunch({ ...open, app: 'pulumi' }, planned).params).toEqual({ plan, destroy, auto_approve });
  });

  it.each([makeTemplate(), open, makeTemplate({ type: 'deploy' })])('is what the contract takes', (template) => {
    expect(Launch.safeParse(toLaunch(template, { ...draft, commitHash: 'abcdef1' })).success).toBe(true);
  });
});

import type { Job } from '@signalbox/contract/job';
import { expect, it } from 'vitest';
import { runnerMark, taskMark } from '../process/marked-processes.ts';
import { makeJob } from '../test/fixtures.ts';
import { commandsOf, type Room } from './adapter.ts';
import { findAdapter } from './adapters.ts';
import { ansible } from './ansible.ts';
import { pulumi } from './pulumi.ts';
import { readPulumiPlan, readPulumiPreview } from './pulumi-plan.ts';
import { describeTask, listTaskVariables } from './task-details.ts';
import { terraform } from './terraform.ts';
import { readTerraformPlan } from './terraform-plan.ts';

const none = { type: 'none' as const };

function makeRoom(change: Partial<Room> = {}): Room {
  return {
    tree: '/t',
    command: '/bin/tool',
    state: null,
    toolCache: '/c',
    pathOf: (name) => `/s/${name}`,
    env: { PATH: '/bin' },
    playbook: 'site.yml',
    inventory: '/s/inventory',
    vaultScripts: new Map(),
    requirements: [],
    gitEnv: { GIT_SSH_COMMAND: 'ssh' },
    ...change,
  };
}

function makeInventory(change: Partial<NonNullable<Job['inventory']>> = {}): Job['inventory'] {
  return {
    type: 'static',
    content: 'host1',
    ssh_key: none,
    become_key: none,
    host_key_policy: 'accept-new',
    repository: null,
    ...change,
  };
}

function argsOf(job: Job, room = makeRoom()): string[] {
  return ansible.listSteps(job, room).at(-1)?.args ?? [];
}

const base = { app: { id: 'ansible', path: '', args: null }, playbook: 'site.yml', inventory: makeInventory() };
const always = ['--inventory=/s/inventory'];
const vars = '--extra-vars=@/s/extra-vars.json';

it.each<[string, Partial<Job>, string[]]>([
  ['nothing special', {}, [...always, vars, 'site.yml']],
  [
    'an ssh key: the login only, for the key is in the agent',
    { inventory: makeInventory({ ssh_key: { type: 'ssh', login: 'deploy', passphrase: 'p', private_key: 'k' } }) },
    [...always, '--user=deploy', vars, 'site.yml'],
  ],
  [
    'passwords by file',
    {
      inventory: makeInventory({
        ssh_key: { type: 'login_password', login: 'ann', password: 'pw1' },
        become_key: { type: 'login_password', login: 'root', password: 'pw2' },
      }),
    },
    [
      ...always,
      '--user=ann',
      '--connection-password-file=/s/connection-password',
      '--become-user=root',
      '--become-password-file=/s/become-password',
      vars,
      'site.yml',
    ],
  ],
  [
    'vaults by file and by script',
    {
      vaults: [
        { type: 'password', name: '', password: 'v1' },
        { type: 'script', name: 'prod', script: 'get-client.sh' },
      ],
    },
    [...always, '--vault-id=default@/s/vault-password-0', '--vault-id=prod@/t/get-client.sh', vars, 'site.yml'],
  ],
  [
    'the switches and lists of the launch, each in one word',
    {
      params: {
        ...makeJob('/x').params,
        debug: true,
        diff: true,
        dry_run: true,
        limit: ['-a', 'b'],
        tags: ['t1', 't2'],
        skip_tags: ['s'],
      },
      arguments: ['--forks', '3'],
    },
    [
      ...always,
      vars,
      '-vvvv',
      '--diff',
      '--check',
      '--limit=-a,b',
      '--tags=t1,t2',
      '--skip-tags=s',
      '--forks',
      '3',
      'site.yml',
    ],
  ],
  [
    'leading arguments of the app',
    { app: { id: 'ansible', path: '/opt/ap', args: ['-f', '9'] } },
    ['-f', '9', ...always, vars, 'site.yml'],
  ],
])('calls ansible-playbook with %s', (_name, change, expected) => {
  const room = makeRoom({ vaultScripts: new Map([['get-client.sh', '/t/get-client.sh']]) });
  expect(argsOf(makeJob('/x', { ...base, ...change }), room)).toEqual(expected);
});

it('puts every secret of Ansible into a file', () => {
  const job = makeJob('/x', {
    ...base,
    inventory: makeInventory({
      ssh_key: { type: 'login_password', login: 'ann', password: 'pw1' },
      become_key: { type: 'login_password', login: 'root', password: 'pw2' },
    }),
    vaults: [{ type: 'password', name: 'v', password: 'pw3' }],
    variables: { a: [1] },
    secret_variables: { token: 'pw4', pin: 'pw5' },
    given_variables: ['pin'],
  });
  const files = Object.fromEntries(ansible.listFiles(job).map(({ name, content }) => [name, content]));
  expect(files).toMatchObject({
    inventory: 'host1',
    'connection-password': 'pw1',
    'become-password': 'pw2',
    'vault-password-0': 'pw3',
  });
  const variables: unknown = JSON.parse(files['extra-vars.json'] ?? '');
  expect(variables).toMatchObject({
    a: [1],
    token: 'pw4',
    pin: { __ansible_unsafe: 'pw5' },
    semaphore_vars: { task_details: { username: { __ansible_unsafe: 'ann' } } },
  });
  for (const step of ansible.listSteps(job, makeRoom()))
    expect(JSON.stringify([step.args, step.env])).not.toMatch(/pw\d/);
});

it('names a YAML inventory so that Ansible knows what it is', () => {
  const job = makeJob('/x', { ...base, inventory: makeInventory({ type: 'static-yaml' }) });
  expect(ansible.listFiles(job).map((file) => file.name)).toContain('inventory.yml');
});

it('refuses the name of a vault that would be cut at its @', () => {
  const job = makeJob('/x', { ...base, vaults: [{ type: 'password', name: 'a@b', password: 'x' }] });
  expect(() => argsOf(job)).toThrow('its name has an @');
});

it('installs requirements first, with the repository key, into a place that the playbook is told of', () => {
  const cache = { final: '/c/1', temporary: '/c/1.new' };
  const room = makeRoom({
    requirements: [
      { kind: 'collection', file: 'requirements.yml', cache },
      { kind: 'role', file: 'roles/requirements.yml', cache: null },
    ],
  });
  const steps = ansible.listSteps(makeJob('/x', base), room);
  expect(steps.map((step) => [step.file, ...step.args])).toEqual([
    [
      'ansible-galaxy',
      'collection',
      'install',
      '--force',
      '--requirements-file=requirements.yml',
      '--collections-path=/c/1.new',
    ],
    ['ansible-galaxy', 'role', 'install', '--force', '--role-file=roles/requirements.yml'],
    ['/bin/tool', ...always, vars, 'site.yml'],
  ]);
  expect(steps[0]).toMatchObject({ env: { GIT_SSH_COMMAND: 'ssh' }, fills: cache });
  expect(steps[2]?.env.ANSIBLE_COLLECTIONS_PATH).toMatch(/^\/c\/1:/);
  expect(steps[2]?.env.ANSIBLE_ROLES_PATH).toBeUndefined();
});

it.each<[string, Partial<Job>, string[]]>([
  ['bash', {}, ['bash', 'site.yml']],
  ['python', {}, ['python3', 'site.yml']],
  [
    'bash',
    { variables: { b: 'x y', a: 1, list: [true, null], Z: { k: 'v' } }, arguments: ['one', '--two'] },
    ['bash', 'site.yml', 'one', '--two', 'Z={"k":"v"}', 'a=1', 'b=x y', 'list=[true,null]'],
  ],
  ['bash', { variables: { a: '1', both: 'plain' }, secret_variables: { both: 'secret' } }, ['bash', 'site.yml', 'a=1']],
  ['bash', { app: { id: 'bash', path: '/bin/dash', args: ['-x'] } }, ['/bin/dash', '-x', 'site.yml']],
  ['perl', {}, ['perl', 'site.yml']],
  ['powershell', {}, ['pwsh', '-NoProfile', '-NonInteractive', '-File', 'site.yml']],
  ['powershell', { app: { id: 'powershell', path: '', args: ['-File'] } }, ['pwsh', '-File', 'site.yml']],
])('calls %s with %j', (id, change, expected) => {
  const job = makeJob('/x', { app: { id, path: '', args: null }, ...change });
  const adapter = findAdapter(job.app);
  const [command] = commandsOf(job, adapter);
  const [step, ...rest] = adapter.listSteps(job, makeRoom({ command }));
  expect(rest).toEqual([]);
  expect([step?.file, ...(step?.args ?? [])]).toEqual(expected);
});

it('gives scripts their secrets as variables and in a file', () => {
  const job = makeJob('/x', { variables: { a: 1 }, secret_variables: { KEY: 's3cret', 'no=name': 'other' } });
  const adapter = findAdapter(job.app);
  const [step] = adapter.listSteps(job, makeRoom());
  expect(step?.env).toEqual({ PATH: '/bin', KEY: 's3cret', SEMAPHORE_VARS_FILE: '/s/vars.json' });
  expect(adapter.listFiles(job)).toEqual([{ name: 'vars.json', content: '{"a":1,"KEY":"s3cret","no=name":"other"}' }]);
  expect(JSON.stringify(step?.args)).not.toContain('s3cret');
});

it('lets no secret variable of a script change the marks by which its processes are found', () => {
  const job = makeJob('/x', { secret_variables: { [runnerMark]: 'x', [taskMark]: 'y', LANG: 'de' } });
  const room = makeRoom({ env: { [runnerMark]: 'ours', [taskMark]: 'ours', LANG: 'C' } });
  const [step] = findAdapter(job.app).listSteps(job, room);
  expect(step?.env).toMatchObject({ [runnerMark]: 'ours', [taskMark]: 'ours', LANG: 'de' });
});

const workspace = (content: string): Job['inventory'] => ({
  type: 'terraform-workspace',
  content,
  ssh_key: none,
  become_key: none,
  host_key_policy: 'accept-new',
  repository: null,
});
const switches = (change: Partial<Job['params']>): Partial<Job> => ({ params: { ...makeJob('/x').params, ...change } });
const planned = [
  'plan',
  '-input=false',
  '-detailed-exitcode',
  '-out=/s/plan.bin',
  '-var-file=/s/variables.tfvars.json',
];

it.each<[string, Partial<Job>, string[][]]>([
  ['nothing special', {}, [['init', '-input=false'], planned, ['show', '-json', '/s/plan.bin']]],
  [
    'a workspace, arguments and every switch',
    {
      inventory: workspace('prod'),
      arguments: ['-parallelism=1'],
      ...switches({ upgrade: true, reconfigure: true, destroy: true }),
    },
    [
      ['init', '-input=false', '-upgrade', '-reconfigure'],
      ['workspace', 'select', '-or-create=true', 'prod'],
      [...planned, '-destroy', '-parallelism=1'],
      ['show', '-json', '/s/plan.bin'],
    ],
  ],
])('plans with terraform: %s', (_name, change, expected) => {
  const job = makeJob('/x', { app: { id: 'terraform', path: '', args: null }, ...change });
  const steps = terraform.listSteps(job, makeRoom({ playbook: 'infra' }));
  expect(steps.map((step) => step.args)).toEqual(expected);
  expect(new Set(steps.map((step) => step.cwd))).toEqual(new Set(['/t/infra']));
  expect(terraform.review?.(job, makeRoom()).apply.map((step) => step.args)).toEqual([
    ['apply', '-input=false', '/s/plan.bin'],
  ]);
});

it('makes the workspace a part of the address where the state is on the server', () => {
  const job = makeJob('/x', { app: { id: 'tofu', path: '', args: null }, inventory: workspace('prod') });
  const state = { address: 'http://server/api/terraform/tasks/1', username: 'task-1', password: 'pw1' };
  const steps = terraform.listSteps(job, makeRoom({ state }));
  expect(steps.map((step) => step.args[0])).toEqual(['init', 'plan', 'show']);
  expect(steps[0]?.env).toMatchObject({
    TF_HTTP_ADDRESS: state.address,
    TF_HTTP_LOCK_ADDRESS: `${state.address}/lock`,
    TF_HTTP_UNLOCK_METHOD: 'DELETE',
    TF_HTTP_PASSWORD: 'pw1',
  });
  expect(JSON.stringify(steps.map((step) => step.args))).not.toContain('pw1');
});

it.each(['-x', 'a b', '../up', 'x;y'])('refuses %s as the name of a workspace and of a stack', (name) => {
  const job = makeJob('/x', { inventory: workspace(name) });
  expect(() => terraform.listSteps(job, makeRoom())).toThrow('cannot be the name of a workspace');
  expect(() => pulumi.listSteps(job, makeRoom())).toThrow('cannot be the name of a stack');
});

it('gives terraform plain and secret variables by file', () => {
  const job = makeJob('/x', { variables: { list: [1, 'a'] }, secret_variables: { token: 's3cret' } });
  expect(terraform.listFiles(job)).toEqual([
    { name: 'variables.tfvars.json', content: '{"list":[1,"a"],"token":"s3cret"}' },
  ]);
});

it('previews with pulumi, which gets each value by its standard input', () => {
  const job = makeJob('/x', {
    app: { id: 'pulumi', path: '', args: null },
    inventory: { ...makeInventory(), type: 'static', content: 'org/dev\n' } as Job['inventory'],
    variables: { zone: 'eu', size: 3 },
    secret_variables: { token: 's3cret' },
  });
  const steps = pulumi.listSteps(job, makeRoom());
  const rest = ['--stack=org/dev', '--non-interactive'];
  const config = '--config-file=/s/stack.yaml';
  expect(steps.map((step) => step.args)).toEqual([
    ['stack', 'select', '--create', '--non-interactive', '--', 'org/dev'],
    ['config', 'set', ...rest, config, '--plaintext', '--', 'size'],
    ['config', 'set', ...rest, config, '--plaintext', '--', 'zone'],
    ['config', 'set', ...rest, config, '--secret', '--', 'token'],
    ['preview', ...rest, '--diff', '--save-plan=/s/plan.json', config],
  ]);
  const files = pulumi.listFiles(job);
  expect(steps.slice(1, 4).map((step) => step.input)).toEqual(files.map((file) => `/s/${file.name}`));
  expect(files.map((file) => file.content)).toEqual(['3', 'eu', 's3cret']);
  expect(pulumi.review?.(job, makeRoom()).apply.map((step) => step.args)).toEqual([
    ['up', ...rest, '--yes', '--skip-preview', config, '--plan=/s/plan.json'],
  ]);
});

it('destroys with pulumi what was previewed', () => {
  const job = makeJob('/x', { inventory: workspace('dev'), ...switches({ destroy: true }) });
  const rest = ['--stack=dev', '--non-interactive'];
  const steps = pulumi.listSteps(job, makeRoom());
  expect(steps.slice(1).map((step) => [step.args, step.capture])).toEqual([
    [['destroy', ...rest, '--preview-only'], null],
    [['destroy', ...rest, '--preview-only', '--json'], '/s/preview.json'],
  ]);
  expect(pulumi.review?.(job, makeRoom()).apply[0]?.args).toEqual(['destroy', ...rest, '--yes', '--skip-preview']);
});

it('refuses to guess a stack', () => {
  expect(() => pulumi.listSteps(makeJob('/x'), makeRoom())).toThrow('No stack is named');
});

it('counts a replacement as one to add and one to destroy, and passes over what does not change', () => {
  const change = (address: string, ...actions: string[]) => ({ address, change: { actions } });
  const shown = {
    resource_changes: [
      change('a', 'create'),
      change('b', 'update'),
      change('c', 'delete', 'create'),
      change('d', 'no-op'),
      change('e', 'delete'),
      change('f', 'read'),
    ],
  };
  const changes = ['a create', 'b update', 'c replace', 'e delete', 'f read'];
  const plan = readTerraformPlan(JSON.stringify(shown));
  expect(plan).toMatchObject({ add: 2, change: 1, destroy: 2 });
  expect(plan.changes.map(({ address, action }) => `${address} ${action}`)).toEqual(changes);
  expect(readTerraformPlan('{"format_version":"1.2"}')).toEqual({ add: 0, change: 0, destroy: 0, changes: [] });
});

it("reads pulumi's saved plan and its preview", () => {
  const saved = {
    resourcePlans: { u1: { steps: ['same'] }, u2: { steps: ['create-replacement', 'replace', 'delete-replaced'] } },
  };
  expect(readPulumiPlan(JSON.stringify(saved))).toEqual({
    add: 1,
    change: 0,
    destroy: 1,
    changes: [{ address: 'u2', action: 'replace' }],
  });
  const preview = {
    steps: [
      { op: 'delete', urn: 'u1' },
      { op: 'same', urn: 'u2' },
    ],
  };
  expect(readPulumiPreview(JSON.stringify(preview))).toMatchObject({ destroy: 1, changes: [{ address: 'u1' }] });
});

it('tells tools of the task under the older names and ours', () => {
  const job = makeJob('/x', {
    task_id: 5,
    task_type: 'build',
    details: { username: 'ann', url: null, message: 'go', incoming_version: null, target_version: '1.2.3' },
  });
  expect(describeTask(job)).toEqual({
    id: 5,
    username: 'ann',
    url: null,
    message: 'go',
    type: 'build',
    target_version: '1.2.3',
  });
  const variables = listTaskVariables(job);
  expect(variables).toMatchObject({
    SEMAPHORE_TASK_TARGET_VERSION: '1.2.3',
    SIGNALBOX_TASK_TYPE: 'build',
    SIGNALBOX_TASK_ID: '5',
  });
  expect('SEMAPHORE_TASK_INCOMING_VERSION' in variables).toBe(false);
  expect('SEMAPHORE_TASK_TYPE' in listTaskVariables(makeJob('/x'))).toBe(false);
});

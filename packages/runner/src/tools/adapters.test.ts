import type { Job } from '@signalbox/contract/job';
import { expect, it } from 'vitest';
import { runnerMark, taskMark } from '../process/marked-processes.ts';
import { makeJob } from '../test/fixtures.ts';
import type { Room } from './adapter.ts';
import { findAdapter } from './adapters.ts';
import { ansible } from './ansible.ts';
import { describeTask, listTaskVariables } from './task-details.ts';

const none = { type: 'none' as const };

function makeRoom(change: Partial<Room> = {}): Room {
  return {
    tree: '/t',
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
  return { type: 'static', content: 'host1', ssh_key: none, become_key: none, repository: null, ...change };
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
    secret_variables: { token: 'pw4' },
  });
  const files = Object.fromEntries(ansible.listFiles(job).map(({ name, content }) => [name, content]));
  expect(files).toMatchObject({
    inventory: 'host1',
    'connection-password': 'pw1',
    'become-password': 'pw2',
    'vault-password-0': 'pw3',
  });
  const variables: unknown = JSON.parse(files['extra-vars.json'] ?? '');
  expect(variables).toMatchObject({ a: [1], token: 'pw4', semaphore_vars: { task_details: { username: 'ann' } } });
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
    ['ansible-playbook', ...always, vars, 'site.yml'],
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
])('calls %s with %j', (id, change, expected) => {
  const job = makeJob('/x', { app: { id, path: '', args: null }, ...change });
  const [step, ...rest] = findAdapter(job.app).listSteps(job, makeRoom());
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

it('says that it cannot run yet what comes later', () => {
  expect(() => findAdapter({ id: 'terraform', path: '', args: null })).toThrow('This runner cannot run terraform yet');
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

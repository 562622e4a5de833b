import type { TestServer } from './start-test-server.ts';

type Caller = { session: string };
type Made = { id: number };

/** Secrets that no answer, no event and no backup may ever hold. */
export const canaries: readonly string[] = Array.from({ length: 50 }, (_, at) => `canary-${at}-${'x'.repeat(8)}`);

/** Every object and every option that a project can have, made through the API by its owner. */
export async function fillProject(server: TestServer, projectId: number, owner: Caller): Promise<void> {
  const post = async (path: string, body?: object): Promise<Made> => {
    const answer = await server.call('POST', `/project/${projectId}/${path}`, { session: owner.session, body });
    if (answer.status >= 300) throw new Error(`POST ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
    return answer.body as Made;
  };
  const keys = await addKeys(post);
  const repositories = await addRepositories(post, keys);
  const environments = await addEnvironments(post);
  const view = await post('views', { title: 'Web', position: 4 });
  await post('views', { title: 'Web', position: -2 });
  const hosts = await addInventories(post, { keys, repositories });
  const links = { repository_id: repositories[0], environment_id: environments[0], view_id: view.id };
  const templates = await addTemplates(post, { links, hosts, keys });
  await addStateAlias(server, projectId, owner, { templateId: templates.terraform, authKeyId: keys.password });
  await addSchedules(post, { templates, repositories, hosts });
  await addIntegrations(post, { templates, keys });
}

type Post = (path: string, body?: object) => Promise<Made>;
type Keys = { none: number; ssh: number; password: number; vault: number };

async function addKeys(post: Post): Promise<Keys> {
  const [a, b, c, d, e, f] = canaries;
  const none = await post('keys', { name: 'None', type: 'none' });
  const ssh = await post('keys', { name: 'Deploy', type: 'ssh', ssh: { login: a, passphrase: b, private_key: c } });
  const login_password = { login: d, password: e };
  const password = await post('keys', { name: 'Deploy', type: 'login_password', login_password });
  const vault = await post('keys', { name: 'Deploy (2)', type: 'login_password', login_password: { password: f } });
  return { none: none.id, ssh: ssh.id, password: password.id, vault: vault.id };
}

async function addRepositories(post: Post, keys: Keys): Promise<number[]> {
  const repositories = [
    {
      name: 'Site',
      git_url: 'git@git.example.org:site.git',
      git_branch: 'release/1',
      ssh_key_id: keys.ssh,
      host_key_policy: 'strict',
    },
    { name: 'Site', git_url: 'https://git.example.org/site.git', git_branch: 'main', ssh_key_id: keys.password },
    { name: 'Local', git_url: '/srv/code', ssh_key_id: keys.none },
  ];
  const made: number[] = [];
  for (const repository of repositories) made.push((await post('repositories', repository)).id);
  return made;
}

async function addEnvironments(post: Post): Promise<number[]> {
  const secret = (at: number) => ({ secret: canaries[at], operation: 'create' });
  const environments = [
    {
      name: 'Production',
      json: '{ "b": [1, 2.50],\n  "a": "ä😀" }',
      env: '{"STAGE":"production"}',
      secrets: [
        { type: 'var', name: 'token', ...secret(6) },
        { type: 'env', name: 'TOKEN', ...secret(7) },
        { type: 'env', name: 'token', ...secret(8) },
      ],
    },
    { name: 'Production', json: '{}', env: null },
    {
      name: 'Many',
      secrets: canaries
        .slice(9)
        .map((value, at) => ({ type: 'var', name: `s${at}`, secret: value, operation: 'create' })),
    },
  ];
  const made: number[] = [];
  for (const environment of environments) made.push((await post('environment', environment)).id);
  return made;
}

type Hosts = { text: number; yaml: number; file: number };

async function addInventories(
  post: Post,
  { keys, repositories }: { keys: Keys; repositories: number[] },
): Promise<Hosts> {
  const text = await post('inventory', {
    name: 'Hosts',
    type: 'static',
    inventory: '[web]\nweb1 ansible_user=a\r\n\tweb2',
    ssh_key_id: keys.ssh,
    become_key_id: keys.password,
    host_key_policy: 'off',
  });
  const yaml = await post('inventory', { name: 'Hosts', type: 'static-yaml', inventory: 'all:\n  hosts: {}' });
  const file = await post('inventory', {
    name: 'Hosts',
    type: 'file',
    inventory: 'inventories/hosts.ini',
    repository_id: repositories[1],
  });
  return { text: text.id, yaml: yaml.id, file: file.id };
}

type Templates = { build: number; deploy: number; terraform: number; task: number };

async function addTemplates(
  post: Post,
  { links, hosts, keys }: { links: object; hosts: Hosts; keys: Keys },
): Promise<Templates> {
  const task = await post('templates', {
    ...links,
    name: 'Everything',
    description: 'All\nof it',
    app: 'ansible',
    playbook: 'deploy/site.yml',
    inventory_id: hosts.text,
    arguments: '["-v", "--limit=a b"]',
    allow_override_args_in_task: true,
    allow_parallel_tasks: true,
    git_branch: 'feature/x',
    runner_tag: 'dmz',
    suppress_success_alerts: true,
    timeout_seconds: 600,
    stop_grace_seconds: 30,
    survey_vars: [
      { name: 'who', title: 'Who?', description: 'a name', required: true },
      { name: 'count', title: 'Count', type: 'int' },
      { name: 'password', title: 'Password', type: 'secret', required: true },
      {
        name: 'stage',
        title: 'Stage',
        type: 'enum',
        values: [
          { name: 'Test', value: 't' },
          { name: 'Live', value: '' },
        ],
      },
    ],
    vaults: [
      { name: null, type: 'password', vault_key_id: keys.vault },
      { name: 'dev', type: 'password', vault_key_id: keys.password },
      { name: 'prod', type: 'script', script: 'vault/get-client.py' },
    ],
    task_params: {
      limit: ['web', '!web1'],
      tags: ['a'],
      skip_tags: ['b'],
      allow_override_inventory: true,
      allow_override_limit: true,
      allow_override_tags: true,
      allow_override_skip_tags: true,
      allow_debug: true,
      auto_approve: true,
    },
  });
  const build = await post('templates', {
    ...links,
    name: 'Site',
    app: 'bash',
    type: 'build',
    start_version: 'v1.0-rc1',
    playbook: 'build.sh',
  });
  const deploy = await post('templates', {
    ...links,
    name: 'Site',
    app: 'python',
    type: 'deploy',
    build_template_id: build.id,
    autorun: true,
    playbook: 'deploy.py',
  });
  const terraform = await post('templates', { ...links, name: 'Cloud', app: 'terraform', playbook: 'infra' });
  const wanted = { name: 'Cloud - eu', inventory: 'eu', type: 'terraform-workspace', ssh_key_id: keys.none };
  await post('inventory', { ...wanted, template_id: terraform.id });
  await post('inventory', { ...wanted, name: 'Cloud - us', inventory: 'us' });
  await post('templates', { ...links, name: 'Tofu', app: 'tofu', playbook: '' });
  await post('templates', { name: 'A', app: 'powershell', playbook: 'a.ps1', ...links, inventory_id: hosts.yaml });
  await post('templates', { name: 'B', app: 'pulumi', playbook: '', ...links, inventory_id: hosts.file });
  return { build: build.id, deploy: deploy.id, terraform: terraform.id, task: task.id };
}

async function addStateAlias(
  server: TestServer,
  projectId: number,
  owner: Caller,
  { templateId, authKeyId }: { templateId: number; authKeyId: number },
): Promise<void> {
  const { session } = owner;
  const { body } = await server.call('GET', `/project/${projectId}/templates/${templateId}`, { session });
  const { inventory_id } = body as { inventory_id: number };
  const path = `/project/${projectId}/inventory/${inventory_id}/terraform/aliases`;
  const answer = await server.call('POST', path, { session, body: { auth_key_id: authKeyId } });
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`);
}

async function addSchedules(
  post: Post,
  { templates, repositories, hosts }: { templates: Templates; repositories: number[]; hosts: Hosts },
): Promise<void> {
  const template_id = templates.task;
  await post('schedules', {
    template_id,
    name: 'Nightly',
    cron_format: '0 3 * * mon-fri',
    timezone: 'Europe/Berlin',
    active: true,
    params: {
      message: 'by night',
      environment: '{"who":"Ada"}',
      inventory_id: hosts.text,
      git_branch: 'night',
      arguments: '["-vv"]',
      params: { debug: true, limit: ['web'], tags: [] },
    },
  });
  await post('schedules', { template_id, name: 'Nightly', cron_format: '@every 1h30m', active: false });
  await post('schedules', { template_id, cron_format: '* * * * *', repository_id: repositories[0], active: true });
}

async function addIntegrations(post: Post, { templates, keys }: { templates: Templates; keys: Keys }): Promise<void> {
  const methods = [
    { auth_method: '' },
    { auth_method: 'github', auth_secret_id: keys.password },
    { auth_method: 'token', auth_header: 'X-Token', auth_secret_id: keys.password, searchable: true },
    { auth_method: 'hmac', auth_header: 'X-Sum', searchable: true, task_params: { debug: true, tags: ['x'] } },
  ];
  for (const method of methods) {
    const { id } = await post('integrations', { name: 'Hook', template_id: templates.build, ...method });
    const integration_id = id;
    const matcher = { integration_id, name: 'Branch', match_type: 'body', body_data_type: 'json', key: 'ref' };
    await post(`integrations/${id}/matchers`, { ...matcher, method: 'equals', value: 'refs/heads/main' });
    await post(`integrations/${id}/matchers`, { ...matcher, body_data_type: 'string', method: 'contains', value: 'x' });
    await post(`integrations/${id}/matchers`, { ...matcher, match_type: 'header', method: 'unequals', value: 'y' });
    const value = { integration_id, name: 'Commit', value_source: 'body', body_data_type: 'json', key: 'after' };
    await post(`integrations/${id}/values`, { ...value, variable: 'COMMIT' });
    await post(`integrations/${id}/values`, { ...value, value_source: 'header', key: 'X-Event', variable: 'event' });
    await post(`integrations/${id}/aliases`);
  }
  await post('integrations/aliases');
  await post('integrations/aliases');
}

import type { TaskStatus } from '@signalbox/contract/task-state';
import { templateRoutes } from '@signalbox/contract/templates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aKey,
  anEnvironment,
  anInventory,
  aPasswordKey,
  aProject,
  aRepository,
  aTemplate,
  type TestProject,
} from '../../test/factories.ts';
import { insertTask } from '../../test/rows.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let foreign: TestProject;
let links: { repository_id: number; inventory_id: number; environment_id: number };
beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
  foreign = await aProject(server);
  links = {
    repository_id: await aRepository(server, project),
    inventory_id: await anInventory(server, project),
    environment_id: await anEnvironment(server, project),
  };
});
afterAll(() => server.stop());

const session = () => project.manager.session;
const at = (id: number) => ({ project_id: project.id, template_id: id });
const bash = () => ({ name: 'Run', app: 'bash', playbook: 'run.sh', repository_id: links.repository_id });
const create = (body: object) => server.call('POST', `/project/${project.id}/templates`, { session: session(), body });
const change = (id: number, body: object) =>
  server.call('PUT', `/project/${project.id}/templates/${id}`, { session: session(), body: { id, ...body } });
const get = async (id: number) => (await server.ask(templateRoutes.get, { params: at(id), session: session() })).body;
const list = async (query: { sort?: string; order?: string; app?: string } = {}, of = project) =>
  (await server.ask(templateRoutes.list, { params: { project_id: of.id }, query, session: of.guest.session })).body;

const full = () => ({
  ...links,
  name: 'Site',
  description: 'Everything',
  app: 'ansible',
  type: 'build' as const,
  playbook: 'deploy/site.yml',
  start_version: '1.0.0',
  arguments: '["-v"]',
  allow_override_args_in_task: true,
  allow_parallel_tasks: true,
  git_branch: 'next',
  survey_vars: [
    {
      name: 'colour',
      title: 'Colour',
      description: '',
      type: 'enum' as const,
      required: true,
      values: [{ name: 'Red', value: 'red' }],
    },
  ],
  runner_tag: 'linux',
  suppress_success_alerts: true,
  timeout_seconds: 60,
  stop_grace_seconds: 5,
});

test('a template is stored with all its fields, and is the same in the list', async () => {
  const keyId = await aPasswordKey(server, project.id, 'vault-password');
  const input = {
    ...full(),
    task_params: { limit: ['web'], tags: ['a'], allow_debug: true },
    vaults: [
      { name: 'Dev', vault_key_id: keyId },
      { type: 'script' as const, name: 'prod', script: 'get-client.sh' },
    ],
  };
  const answer = await server.ask(templateRoutes.create, {
    params: { project_id: project.id },
    body: input,
    session: session(),
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    ...full(),
    project_id: project.id,
    view_id: null,
    build_template_id: null,
    autorun: false,
    task_params: { limit: ['web'], tags: ['a'], skip_tags: [], allow_debug: true, auto_approve: false },
    vaults: [
      { project_id: project.id, name: 'dev', type: 'password', vault_key_id: keyId, script: null },
      { name: 'prod', type: 'script', vault_key_id: null, script: 'get-client.sh' },
    ],
    tasks: 0,
    last_task_id: null,
    last_task: null,
  });
  expect(await get(answer.body.id)).toEqual(answer.body);
  expect((await list()).find(({ id }) => id === answer.body.id)).toEqual(answer.body);
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ app: 'cobol' }, 'app'],
  [{ playbook: '' }, 'playbook'],
  [{ app: 'ansible' }, 'inventory_id'],
  [{ repository_id: null }, 'repository_id'],
  [{ type: 'build' }, 'start_version'],
  [{ type: 'deploy' }, 'build_template_id'],
  [{ arguments: '{"a": 1}' }, 'arguments'],
  [{ arguments: '[1]' }, 'arguments'],
  [{ git_branch: '-x' }, 'git_branch'],
  [{ survey_vars: [{ name: 'a b', title: 'x' }] }, 'survey_vars.0.name'],
  [{ survey_vars: [{ name: 'a', title: 'x', type: 'enum' }] }, 'survey_vars.0.values'],
  [{ vaults: [{ type: 'script', script: 'get.sh' }] }, 'vaults.0.script'],
  [{ timeout_seconds: -1 }, 'timeout_seconds'],
  [{ project_id: 4711 }, 'project_id'],
])('%j is refused and names the field', async (fields, field) => {
  const before = (await list()).length;
  const answer = await create({ ...bash(), ...fields });
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
  expect((await list()).length).toBe(before);
});

test('nothing of another project can be linked, on creation and on change', async () => {
  const id = await aTemplate(server, project);
  const foreignKey = await aPasswordKey(server, foreign.id, 'vault-password');
  const wrong: [string, object][] = [
    ['repository_id', { repository_id: await aRepository(server, foreign) }],
    ['inventory_id', { inventory_id: await anInventory(server, foreign) }],
    ['environment_id', { environment_id: await anEnvironment(server, foreign) }],
    ['view_id', { view_id: 12_345 }],
    ['build_template_id', { type: 'deploy', build_template_id: await aTemplate(server, foreign) }],
    ['vaults.0.vault_key_id', { vaults: [{ vault_key_id: foreignKey }] }],
  ];
  for (const [field, fields] of wrong) {
    for (const answer of [await create({ ...bash(), ...fields }), await change(id, { ...bash(), ...fields })]) {
      expect(answer.status).toBe(400);
      expect(answer.error).toMatchObject({ code: 'unknown_reference', details: [{ path: field }] });
    }
  }
});

test('a change keeps what it does not say, and the vault list replaces the stored one', async () => {
  const keyId = await aPasswordKey(server, project.id, 'vault-password');
  const created = await create({
    ...full(),
    vaults: [{ vault_key_id: keyId }, { name: 'dev', vault_key_id: keyId }],
  });
  const { id } = created.body as { id: number };
  const before = await get(id);
  expect((await change(id, { name: 'Renamed', app: 'ansible' })).status).toBe(204);
  expect(await get(id)).toEqual({ ...before, name: 'Renamed' });
  const [first] = before.vaults;
  const vaults = [
    { ...first, name: 'prod' },
    { name: 'new', type: 'script', script: 'x-client' },
  ];
  await change(id, { name: 'Renamed', app: 'ansible', vaults });
  const after = await get(id);
  expect(after.vaults).toMatchObject([{ id: first?.id, name: 'prod' }, { name: 'new' }]);
  expect(after.vaults).toHaveLength(2);
  await change(id, { name: 'Renamed', app: 'ansible', vaults: [] });
  expect((await get(id)).vaults).toEqual([]);
});

test('the vault of another template cannot be taken over', async () => {
  const keyId = await aPasswordKey(server, project.id, 'vault-password');
  const other = await aTemplate(server, project, { vaults: [{ vault_key_id: keyId }] });
  const [vault] = (await get(other)).vaults;
  const id = await aTemplate(server, project);
  expect((await change(id, { ...bash(), vaults: [vault] })).status).toBe(400);
  expect((await get(other)).vaults).toEqual([vault]);
});

test('what is read of a template makes a copy of it, with vaults of its own', async () => {
  const keyId = await aPasswordKey(server, project.id, 'vault-password');
  const { id } = (await create({ ...full(), vaults: [{ vault_key_id: keyId }] })).body as { id: number };
  const original = await get(id);
  const copied = await create({ ...original, name: 'Copy' });
  expect(copied.status).toBe(201);
  const copy = await get((copied.body as { id: number }).id);
  const [vault] = copy.vaults;
  expect(copy).toEqual({ ...original, id: copy.id, name: 'Copy', vaults: [{ ...original.vaults[0], ...vault }] });
  expect(vault).toMatchObject({ template_id: copy.id, vault_key_id: keyId });
  expect(vault?.id).not.toBe(original.vaults[0]?.id);
  expect(await get(id)).toEqual(original);
});

test('a vault needs a key with a password', async () => {
  const answer = await create({ ...bash(), vaults: [{ vault_key_id: await aKey(server, project.id) }] });
  expect(answer.error.details).toMatchObject([{ path: 'vaults.0.vault_key_id' }]);
});

test('a deploy template needs a build template, and not itself', async () => {
  const plain = await aTemplate(server, project);
  const deploy = { ...bash(), type: 'deploy', build_template_id: plain };
  expect((await create(deploy)).error.details).toMatchObject([{ path: 'build_template_id' }]);
  const build = await aTemplate(server, project, { type: 'build', start_version: '1' });
  const answer = await create({ ...deploy, build_template_id: build, autorun: true });
  expect(answer.body).toMatchObject({ build_template_id: build, autorun: true });
  expect((await change(build, { ...bash(), type: 'deploy', build_template_id: build })).status).toBe(400);
});

async function made(body: object): Promise<number> {
  return ((await create(body)).body as { id: number }).id;
}

test('a deploy template may deploy what another one has deployed, but never itself over others', async () => {
  const build = await aTemplate(server, project, { type: 'build', start_version: '1' });
  const deploys = (build_template_id: number) => ({ ...bash(), type: 'deploy', build_template_id });
  const staging = await made(deploys(build));
  const production = await made(deploys(staging));
  for (const ring of [production, staging]) {
    const refused = await change(staging, deploys(ring));
    expect(refused.error.details).toEqual([{ path: 'build_template_id', message: 'leads back to this template' }]);
  }
  expect((await change(build, deploys(production))).status).toBe(400);
  expect((await change(staging, { ...bash(), type: '' })).status).toBe(409);
  expect((await change(production, deploys(build))).status).toBe(204);
});

test('two changes at the same moment close no ring of deploys', async () => {
  const build = await aTemplate(server, project, { type: 'build', start_version: '1' });
  const deploys = (build_template_id: number) => ({ ...bash(), type: 'deploy', build_template_id });
  for (let round = 0; round < 5; round += 1) {
    const one = await made(deploys(build));
    const other = await made(deploys(build));
    const answers = await Promise.all([change(one, deploys(other)), change(other, deploys(one))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
  }
  for (let round = 0; round < 2; round += 1) {
    const [one, other] = [await made(deploys(build)), await made(deploys(build))];
    const [behindOne, behindOther] = [await made(deploys(one)), await made(deploys(other))];
    const answers = await Promise.all([change(one, deploys(behindOther)), change(other, deploys(behindOne))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
  }
});

test('a build template that is deployed stays one, and is not deleted', async () => {
  const build = await aTemplate(server, project, { type: 'build', start_version: '1' });
  const deploy = await aTemplate(server, project, { type: 'deploy', build_template_id: build });
  const changed = await change(build, { ...bash(), type: '' });
  expect(changed.status).toBe(409);
  const removed = await server.ask(templateRoutes.remove, { params: at(build), session: session() });
  expect(removed.error).toMatchObject({ code: 'in_use', inUse: true, details: { templates: [{ id: deploy }] } });
  expect((await server.ask(templateRoutes.remove, { params: at(deploy), session: session() })).status).toBe(204);
  expect((await server.ask(templateRoutes.remove, { params: at(build), session: session() })).status).toBe(204);
});

test('a build template that changes its type while a deploy links it is one or the other', async () => {
  for (let round = 0; round < 8; round += 1) {
    const build = await aTemplate(server, project, { type: 'build', start_version: '1' });
    const [changed, linked] = await Promise.all([
      change(build, { ...bash(), type: '' }),
      create({ ...bash(), type: 'deploy', build_template_id: build }),
    ]);
    expect([
      [204, 400],
      [409, 201],
    ]).toContainEqual([changed.status, linked.status]);
  }
});

test('an integration keeps its template from being deleted, a schedule goes with it', async () => {
  const id = await aTemplate(server, project);
  const integration = await server.database.transact(async (db) => {
    const schedule = {
      project_id: project.id,
      template_id: id,
      name: 'nightly',
      cron_format: '* * * * *',
      timezone: 'UTC',
      active: false,
      repository_id: null,
      last_commit_hash: null,
      next_fire: null,
      params: null,
    };
    await db.insertInto('schedule').values(schedule).execute();
    return db
      .insertInto('integration')
      .values({
        project_id: project.id,
        name: 'push',
        template_id: id,
        auth_method: '',
        auth_header: '',
        auth_secret_id: null,
        task_params: null,
        searchable: false,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  });
  const references = await server.ask(templateRoutes.references, { params: at(id), session: session() });
  expect(references.body).toMatchObject({ integrations: [{ name: 'push' }], schedules: [{ name: 'nightly' }] });
  const refused = await server.ask(templateRoutes.remove, { params: at(id), session: session() });
  expect(refused.error).toMatchObject({ inUse: true, details: { integrations: [{ id: integration.id }] } });
  await server.database.transact((db) => db.deleteFrom('integration').where('id', '=', integration.id).execute());
  expect((await server.ask(templateRoutes.remove, { params: at(id), session: session() })).status).toBe(204);
  const left = await server.database.read.selectFrom('schedule').select('id').where('template_id', '=', id).execute();
  expect(left).toEqual([]);
});

test('a template with a task under way is not deleted, one with tasks that wait takes them with it', async () => {
  const id = await aTemplate(server, project);
  const add = (status: TaskStatus) =>
    server.database.transact((db) => insertTask(db, { project_id: project.id, template_id: id, status }));
  await add('waiting');
  const running = await add('running');
  await add('success');
  const refused = await server.ask(templateRoutes.remove, { params: at(id), session: session() });
  expect(refused.error).toMatchObject({ code: 'conflict', details: { tasks: [running] } });
  const count = async () =>
    (await server.database.read.selectFrom('task').select('id').where('template_id', '=', id).execute()).length;
  expect(await count()).toBe(3);
  await server.database.transact((db) =>
    db.updateTable('task').set({ status: 'stopped' }).where('id', '=', running).execute(),
  );
  expect((await server.ask(templateRoutes.remove, { params: at(id), session: session() })).status).toBe(204);
  expect(await count()).toBe(0);
});

test('templates of an inactive app stay, and no new ones are made', async () => {
  const id = await aTemplate(server, project, { app: 'python', playbook: 'run.py' });
  const other = await aTemplate(server, project);
  const setActive = (active: boolean) =>
    server.database.transact((db) => db.updateTable('app').set({ active }).where('id', '=', 'python').execute());
  await setActive(false);
  const python = { ...bash(), app: 'python' };
  expect((await create(python)).error.details).toMatchObject([{ path: 'app' }]);
  expect((await change(id, python)).status).toBe(204);
  expect((await change(other, python)).status).toBe(400);
  await setActive(true);
});

test('code for Terraform without a workspace gets its first one, which it holds', async () => {
  const answer = await create({ ...bash(), name: 'Net', app: 'tofu', playbook: '' });
  expect(answer.status).toBe(201);
  const template = answer.body as { id: number; inventory_id: number };
  const workspace = await server.database.read
    .selectFrom('inventory')
    .selectAll()
    .where('id', '=', template.inventory_id)
    .executeTakeFirstOrThrow();
  expect(workspace).toMatchObject({
    name: 'Net - default',
    inventory: 'default',
    type: 'tofu-workspace',
    template_id: template.id,
  });
  const stolen = await create({ ...bash(), app: 'tofu', playbook: '', inventory_id: workspace.id });
  expect([stolen.status, stolen.error.code]).toEqual([409, 'conflict']);
  const wrong = await create({ ...bash(), app: 'terraform', playbook: '', inventory_id: workspace.id });
  expect(wrong.error.details).toMatchObject([{ path: 'inventory_id' }]);
  const ansible = await create({ ...bash(), app: 'ansible', inventory_id: workspace.id });
  expect(ansible.error.details).toMatchObject([{ path: 'inventory_id' }]);
});

test('the list is filtered by app and sorted by the names of what is linked', async () => {
  const own = await aProject(server);
  const first = await aTemplate(server, own, { name: 'b', playbook: '1.sh' });
  const second = await aTemplate(server, own, { name: 'A', playbook: '2.sh' });
  const python = await aTemplate(server, own, { name: 'c', app: 'python', playbook: '0.py' });
  const ids = async (query: { sort?: string; order?: string; app?: string }) =>
    (await list(query, own)).map(({ id }) => id);
  expect(await ids({})).toEqual([second, first, python]);
  expect(await ids({ order: 'desc' })).toEqual([python, first, second]);
  expect(await ids({ sort: 'playbook' })).toEqual([python, first, second]);
  expect(await ids({ sort: 'repository' })).toEqual([first, second, python]);
  expect(await ids({ sort: 'survey_vars' })).toEqual([second, first, python]);
  expect(await ids({ sort: 'constructor' })).toEqual([second, first, python]);
  expect(await ids({ app: 'python' })).toEqual([python]);
});

test('a template of another project is not found', async () => {
  const id = await aTemplate(server, foreign);
  for (const route of [
    templateRoutes.get,
    templateRoutes.references,
    templateRoutes.tasks,
    templateRoutes.lastTasks,
    templateRoutes.remove,
  ] as const) {
    expect((await server.ask(route, { params: at(id), session: session() })).status).toBe(404);
  }
  expect((await change(id, bash())).status).toBe(404);
});

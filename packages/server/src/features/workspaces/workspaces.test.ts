import { inventoryRoutes } from '@signalbox/contract/inventories';
import { templateRoutes } from '@signalbox/contract/templates';
import { workspaceRoutes } from '@signalbox/contract/workspaces';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anInventory, aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let foreign: TestProject;
beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
  foreign = await aProject(server);
});
afterAll(() => server.stop());

const session = () => project.manager.session;
const code = (app = 'terraform') => aTemplate(server, project, { app, playbook: '' });
const createInventory = (body: object) =>
  server.call('POST', `/project/${project.id}/inventory`, { session: session(), body });
async function aWorkspace(name: string, fields: object = {}): Promise<number> {
  const body = { name: `Net - ${name}`, inventory: name, type: 'terraform-workspace', ...fields };
  const answer = await createInventory(body);
  expect(answer.status).toBe(201);
  return (answer.body as { id: number }).id;
}
type Action = 'setDefault' | 'attach' | 'detach';
async function ask(action: Action, templateId: number, inventoryId: number): Promise<number> {
  const params = { project_id: project.id, template_id: templateId, inventory_id: inventoryId };
  return (await server.ask(workspaceRoutes[action], { params, session: session() })).status;
}
async function readTemplate(id: number) {
  const params = { project_id: project.id, template_id: id };
  return (await server.ask(templateRoutes.get, { params, session: session() })).body;
}
async function readInventory(id: number) {
  const params = { project_id: project.id, inventory_id: id };
  return (await server.ask(inventoryRoutes.get, { params, session: session() })).body;
}
const changeInventory = (id: number, body: object) =>
  server.call('PUT', `/project/${project.id}/inventory/${id}`, { session: session(), body: { id, ...body } });

test('a workspace is attached, made the default, and detached when it is the default no more', async () => {
  const template = await code();
  const { inventory_id: first } = await readTemplate(template);
  const workspace = await aWorkspace('staging');
  expect(await ask('attach', template, workspace)).toBe(204);
  expect(await readInventory(workspace)).toMatchObject({ template_id: template, holder_id: template });
  expect((await readTemplate(template)).inventory_id).toBe(first);
  expect(await ask('setDefault', template, workspace)).toBe(204);
  expect((await readTemplate(template)).inventory_id).toBe(workspace);
  expect(await ask('detach', template, workspace)).toBe(409);
  expect((await readInventory(workspace)).template_id).toBe(template);
  expect(await ask('detach', template, first ?? 0)).toBe(204);
  expect((await readInventory(first ?? 0)).template_id).toBeNull();
  expect(await ask('detach', template, first ?? 0)).toBe(409);
});

test('a free workspace is attached by making it the default', async () => {
  const template = await code();
  const workspace = await aWorkspace('prod');
  expect(await ask('setDefault', template, workspace)).toBe(204);
  expect((await readTemplate(template)).inventory_id).toBe(workspace);
  expect((await readInventory(workspace)).template_id).toBe(template);
});

test('the default is not deleted, moved or made something else', async () => {
  const template = await code();
  const other = await code();
  const id = (await readTemplate(template)).inventory_id ?? 0;
  const before = await readInventory(id);
  const params = { project_id: project.id, inventory_id: id };
  expect((await server.ask(inventoryRoutes.remove, { params, session: session() })).status).toBe(409);
  const same = { name: before.name, type: before.type };
  expect((await changeInventory(id, { ...same, template_id: null })).status).toBe(409);
  expect((await changeInventory(id, { ...same, holder_id: null })).status).toBe(409);
  expect((await changeInventory(id, { ...same, template_id: other })).status).toBe(409);
  expect((await changeInventory(id, { ...same, type: 'tofu-workspace' })).error.code).toBe('in_use');
  expect((await changeInventory(id, { ...same, type: 'static' })).error.code).toBe('in_use');
  expect(await readInventory(id)).toEqual(before);
  expect((await changeInventory(id, { ...same, name: 'Renamed', template_id: template })).status).toBe(204);
});

test('what another template holds stays with it', async () => {
  const holder = await code();
  const other = await code();
  const workspace = await aWorkspace('shared', { template_id: holder });
  expect(await ask('attach', other, workspace)).toBe(409);
  expect(await ask('setDefault', other, workspace)).toBe(409);
  expect(await ask('detach', other, workspace)).toBe(409);
  expect((await readInventory(workspace)).template_id).toBe(holder);
});

test('only a workspace of the kind of the template can be its own', async () => {
  const template = await code();
  const tofu = await aWorkspace('t', { type: 'tofu-workspace' });
  const hosts = await anInventory(server, project);
  const script = await aTemplate(server, project);
  for (const action of ['attach', 'setDefault'] as const) {
    expect(await ask(action, template, tofu)).toBe(400);
    expect(await ask(action, template, hosts)).toBe(400);
    expect(await ask(action, script, tofu)).toBe(400);
  }
  for (const body of [
    { name: 'x', type: 'static', template_id: template },
    { name: 'x', type: 'tofu-workspace', inventory: 'x', template_id: template },
    { name: 'x', type: 'terraform-workspace', inventory: 'x', template_id: script },
  ]) {
    expect((await createInventory(body)).status).toBe(400);
  }
});

test('the workspaces of a template have names of their own', async () => {
  const template = await code();
  const taken = await createInventory({
    name: 'again',
    inventory: 'default',
    type: 'terraform-workspace',
    holder_id: template,
  });
  expect([taken.status, taken.error.code]).toEqual([409, 'not_unique']);
  const free = await aWorkspace('default');
  expect(await ask('attach', template, free)).toBe(409);
  const second = await aWorkspace('second', { holder_id: template });
  const rename = { name: 'second', type: 'terraform-workspace', inventory: 'default' };
  expect((await changeInventory(second, rename)).status).toBe(409);
  expect((await changeInventory(second, { ...rename, inventory: 'third' })).status).toBe(204);
});

test.each(['', '..', '.x', '-destroy', 'a b', 'a/b', 'ä', 'x'.repeat(91)])(
  '"%s" is no name of a workspace',
  async (inventory) => {
    const answer = await createInventory({ name: 'x', inventory, type: 'terraform-workspace' });
    expect([answer.status, answer.error.details]).toMatchObject([400, [{ path: 'inventory' }]]);
  },
);

test('a template without a workspace goes on with one that it holds', async () => {
  const template = await code();
  const first = (await readTemplate(template)).inventory_id;
  const staging = await aWorkspace('staging', { template_id: template });
  await ask('setDefault', template, staging);
  const { name, app } = await readTemplate(template);
  const body = { id: template, name, app, inventory_id: null };
  const answer = await server.call('PUT', `/project/${project.id}/templates/${template}`, {
    session: session(),
    body,
  });
  expect(answer.status).toBe(204);
  expect((await readTemplate(template)).inventory_id).toBe(first);
});

test('a template of another app lets its workspaces go', async () => {
  const template = await code();
  const first = (await readTemplate(template)).inventory_id ?? 0;
  const put = (fields: object) =>
    server.call('PUT', `/project/${project.id}/templates/${template}`, {
      session: session(),
      body: { id: template, name: 'Changed', ...fields },
    });
  expect((await put({ app: 'tofu' })).error.details).toMatchObject([{ path: 'inventory_id' }]);
  expect((await put({ app: 'tofu', inventory_id: null })).status).toBe(204);
  const now = await readTemplate(template);
  expect((await readInventory(now.inventory_id ?? 0)).type).toBe('tofu-workspace');
  expect((await readInventory(first)).template_id).toBeNull();
});

test('nothing of another project can be attached, and nothing to it', async () => {
  const template = await code();
  const elsewhere = await aTemplate(server, foreign, { app: 'terraform', playbook: '' });
  const { id } = await server.database.read
    .selectFrom('inventory')
    .select('id')
    .where('template_id', '=', elsewhere)
    .executeTakeFirstOrThrow();
  const own = await aWorkspace('own');
  for (const action of ['setDefault', 'attach', 'detach'] as const) {
    expect(await ask(action, template, id)).toBe(404);
    expect(await ask(action, elsewhere, own)).toBe(404);
    expect(await ask(action, elsewhere, id)).toBe(404);
  }
});

test('of many templates that reach for one workspace at once, one gets it', async () => {
  const templates = await Promise.all(Array.from({ length: 6 }, () => code()));
  const workspace = await aWorkspace('contested');
  const statuses = await Promise.all(templates.map((template) => ask('attach', template, workspace)));
  expect(statuses.toSorted()).toEqual([204, 409, 409, 409, 409, 409]);
  const winner = templates[statuses.indexOf(204)];
  expect((await readInventory(workspace)).template_id).toBe(winner);
});

test('a workspace that becomes the default while it is detached is one or the other', async () => {
  const template = await code();
  for (let round = 0; round < 10; round += 1) {
    const workspace = await aWorkspace(`w${round}`, { template_id: template });
    await Promise.all([ask('setDefault', template, workspace), ask('detach', template, workspace)]);
    const { inventory_id } = await readTemplate(template);
    // The default is always one that the template holds.
    expect((await readInventory(inventory_id ?? 0)).template_id).toBe(template);
  }
});

test('a workspace that becomes the default of one template while it is moved to another is not torn', async () => {
  const [template, other] = [await code(), await code()];
  for (let round = 0; round < 10; round += 1) {
    const workspace = await aWorkspace(`m${round}`);
    await Promise.all([
      ask('setDefault', template, workspace),
      changeInventory(workspace, { name: 'Moved', type: 'terraform-workspace', template_id: other }),
    ]);
    const { inventory_id } = await readTemplate(template);
    expect((await readInventory(inventory_id ?? 0)).template_id).toBe(template);
  }
});

test('of many workspaces with one name, a template gets one', async () => {
  const template = await code();
  const body = { name: 'x', inventory: 'twin', type: 'terraform-workspace', template_id: template };
  const answers = await Promise.all(Array.from({ length: 5 }, () => createInventory(body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
});

test('every change of workspaces is in the activity list of the template', async () => {
  const template = await aTemplate(server, project, { name: 'Net', app: 'terraform', playbook: '' });
  const first = (await readTemplate(template)).inventory_id ?? 0;
  const workspace = await aWorkspace('seen');
  await ask('attach', template, workspace);
  await ask('setDefault', template, workspace);
  await ask('detach', template, first);
  const events = await server.database.read
    .selectFrom('event')
    .select('description')
    .where('object_type', '=', 'template')
    .where('object_id', '=', template)
    .orderBy('id')
    .execute();
  expect(events.map(({ description }) => description)).toEqual([
    'Template Net created',
    'Template Net: workspace Net - seen attached',
    'Template Net: workspace Net - seen made the default',
    'Template Net: workspace Net - default detached',
  ]);
});

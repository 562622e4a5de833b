import { inventoryRoutes } from '@signalbox/contract/inventories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aKey, anInventory, aProject, aRepository, aTemplate, type TestProject } from '../../test/factories.ts';
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
const at = (id: number) => ({ project_id: project.id, inventory_id: id });
const create = (body: object) => server.call('POST', `/project/${project.id}/inventory`, { session: session(), body });
const change = (id: number, body: object) =>
  server.call('PUT', `/project/${project.id}/inventory/${id}`, { session: session(), body: { id, ...body } });
const get = async (id: number) => (await server.ask(inventoryRoutes.get, { params: at(id), session: session() })).body;

test('an inventory is stored with its links, its text trimmed', async () => {
  const keyId = await aKey(server, project.id);
  const repositoryId = await aRepository(server, project);
  const answer = await server.ask(inventoryRoutes.create, {
    params: { project_id: project.id },
    body: {
      name: 'Hosts',
      type: 'file',
      inventory: ' hosts/all.ini\n',
      ssh_key_id: keyId,
      become_key_id: keyId,
      repository_id: repositoryId,
    },
    session: session(),
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: answer.body.id,
    project_id: project.id,
    name: 'Hosts',
    type: 'file',
    inventory: 'hosts/all.ini',
    ssh_key_id: keyId,
    become_key_id: keyId,
    repository_id: repositoryId,
    host_key_policy: 'accept-new',
    template_id: null,
    holder_id: null,
  });
  expect(await get(answer.body.id)).toEqual(answer.body);
});

test.each([
  [{ name: 'x', type: 'dynamic' }, 'type'],
  [{ name: 'x' }, 'type'],
  [{ type: 'static' }, 'name'],
  [{ name: 'x', type: 'file', inventory: '/etc/passwd' }, 'inventory'],
  [{ name: 'x', type: 'file', inventory: 'a/../../b' }, 'inventory'],
  [{ name: 'x', type: 'file', inventory: '' }, 'inventory'],
  [{ name: 'x', type: 'static', ssh_key_id: '1' }, 'ssh_key_id'],
])('a wrong inventory is refused and names the field: %j', async (body, field) => {
  const answer = await create(body);
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
});

test('what belongs to another project cannot be linked, on creation and on change', async () => {
  const id = await anInventory(server, project);
  const links = {
    ssh_key_id: foreign.noneKeyId,
    become_key_id: foreign.noneKeyId,
    repository_id: await aRepository(server, foreign),
    template_id: await aTemplate(server, foreign),
  };
  for (const [field, value] of Object.entries(links)) {
    const body = { name: 'x', type: 'static', [field]: value };
    for (const answer of [await create(body), await change(id, body)]) {
      expect(answer.status).toBe(400);
      expect(answer.error).toMatchObject({ code: 'unknown_reference', details: [{ path: field }] });
    }
  }
});

test('a change keeps what it does not say, and null takes a link away', async () => {
  const keyId = await aKey(server, project.id);
  const id = await anInventory(server, project);
  const said = { ssh_key_id: keyId, inventory: 'host-1', host_key_policy: 'strict' };
  await change(id, { name: 'A', type: 'static', ...said });
  await change(id, { name: 'B', type: 'static-yaml' });
  expect(await get(id)).toMatchObject({ name: 'B', type: 'static-yaml', ...said });
  expect((await change(id, { name: 'B', type: 'static-yaml', host_key_policy: 'none' })).status).toBe(400);
  await change(id, { name: 'B', type: 'static-yaml', ssh_key_id: null });
  expect((await get(id)).ssh_key_id).toBeNull();
});

test('text that is no path does not become one by a change of the type', async () => {
  const id = await anInventory(server, project);
  await change(id, { name: 'A', type: 'static', inventory: '/etc/passwd' });
  const answer = await change(id, { name: 'A', type: 'file' });
  expect([answer.status, (await get(id)).type]).toEqual([400, 'static']);
});

test('lists are filtered by app and by the template that holds a workspace', async () => {
  const own = await aProject(server);
  const hosts = await anInventory(server, own);
  const templateId = await aTemplate(server, own, { app: 'terraform', playbook: '' });
  const list = async (query: { app?: string; template_id?: string }) =>
    (
      await server.ask(inventoryRoutes.list, {
        params: { project_id: own.id },
        query,
        session: own.guest.session,
      })
    ).body;
  expect((await list({})).length).toBe(2);
  expect((await list({ app: 'ansible' })).map(({ id }) => id)).toEqual([hosts]);
  const workspaces = await list({ app: 'terraform' });
  expect(workspaces).toMatchObject([{ type: 'terraform-workspace', template_id: templateId, holder_id: templateId }]);
  expect(await list({ app: 'tofu' })).toEqual([]);
  expect(await list({ template_id: String(templateId) })).toEqual(workspaces);
  const bad = await server.call('GET', `/project/${own.id}/inventory?template_id=x`, { session: own.guest.session });
  expect(bad.status).toBe(400);
});

test('an inventory takes 64 MB of hosts, and comes back the same', async () => {
  const text = `${'h'.repeat(63)}\n`.repeat(100_000).trim();
  const answer = await create({ name: 'Big', type: 'static', inventory: text });
  expect(answer.status).toBe(201);
  expect((answer.body as { inventory: string }).inventory).toBe(text);
});

test('an inventory in use is not deleted, an unused one is', async () => {
  const id = await anInventory(server, project);
  const templateId = await aTemplate(server, project, { inventory_id: id });
  const refused = await server.ask(inventoryRoutes.remove, { params: at(id), session: session() });
  expect(refused.error).toMatchObject({ inUse: true, details: { templates: [{ id: templateId }] } });
  const unused = await anInventory(server, project);
  expect((await server.ask(inventoryRoutes.remove, { params: at(unused), session: session() })).status).toBe(204);
  const gone = await server.ask(inventoryRoutes.references, { params: at(unused), session: session() });
  expect(gone.status).toBe(404);
});

test('an inventory of another project is not found', async () => {
  const id = await anInventory(server, foreign);
  expect((await server.ask(inventoryRoutes.get, { params: at(id), session: session() })).status).toBe(404);
  expect((await change(id, { name: 'x', type: 'static' })).status).toBe(404);
  expect((await server.ask(inventoryRoutes.remove, { params: at(id), session: session() })).status).toBe(404);
});

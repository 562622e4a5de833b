import { eventRoutes } from '@signalbox/contract/events';
import { integrationRoutes } from '@signalbox/contract/integrations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey, aPasswordKey, aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { anIntegration, listTasksOf } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let other: TestProject;
let templateId: number;
let secretId: number;
beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
  other = await aProject(server);
  templateId = await aTemplate(server, project);
  secretId = await aPasswordKey(server, project.id, 'swordfish');
});
afterAll(() => server.stop());

const at = (id: number) => ({ project_id: project.id, integration_id: id });
const session = () => project.owner.session;
const post = (body: object, by = session()) =>
  server.call('POST', `/project/${project.id}/integrations`, { session: by, body });
const put = (id: number, body: object, by = session()) =>
  server.call('PUT', `/project/${project.id}/integrations/${id}`, { session: by, body });
const get = async (id: number) =>
  (await server.ask(integrationRoutes.get, { params: at(id), session: session() })).body;

test('an owner adds an integration with everything it has, changes it, and deletes it', async () => {
  const input = {
    name: 'Push',
    template_id: templateId,
    auth_method: 'hmac',
    auth_header: 'X-Signature',
    auth_secret_id: secretId,
    searchable: true,
    task_params: { debug: true, limit: ['web', 'db'] },
  };
  const created = await post({ ...input, name: ' Push ', project_id: project.id, shoe_size: 44 });
  expect(created.status).toBe(201);
  const { id } = created.body as { id: number };
  expect(created.body).toEqual({ ...input, id, project_id: project.id });
  expect(await get(id)).toEqual(created.body);
  expect((await put(id, { id, project_id: project.id, name: 'Pull', template_id: templateId })).status).toBe(204);
  expect(await get(id)).toEqual({ ...input, name: 'Pull', id, project_id: project.id });
  const cleared = { name: 'Pull', template_id: templateId, auth_method: '', auth_secret_id: null, task_params: null };
  expect((await put(id, { ...cleared, auth_header: null, searchable: false })).status).toBe(204);
  expect(await get(id)).toMatchObject({ ...cleared, auth_header: '', searchable: false });
  const removed = await server.ask(integrationRoutes.remove, { params: at(id), session: session() });
  expect(removed.status).toBe(204);
  expect((await server.ask(integrationRoutes.get, { params: at(id), session: session() })).status).toBe(404);
  const { body: events } = await server.ask(eventRoutes.lastOfProject, {
    params: { project_id: project.id },
    session: session(),
  });
  const own = events.filter((event) => event.object_type === 'integration' && event.object_id === id);
  expect(own.map(({ description, username }) => [description, username])).toEqual([
    ['Integration Pull deleted', project.owner.actor.username],
    ['Integration Pull updated', project.owner.actor.username],
    ['Integration Pull updated', project.owner.actor.username],
    ['Integration Push created', project.owner.actor.username],
  ]);
});

test('what is left out has the values of an open integration with an alias of its own', async () => {
  const { body } = await post({ name: 'Bare', template_id: templateId });
  expect(body).toMatchObject({
    auth_method: '',
    auth_header: '',
    auth_secret_id: null,
    searchable: false,
    task_params: null,
  });
});

test('the words of other versions are understood: none for no method, and lists as one text', async () => {
  const task_params = { limit: 'web, db', tags: ['a'] };
  const { body } = await post({ name: 'Old', template_id: templateId, auth_method: 'none', task_params });
  expect(body).toMatchObject({ auth_method: '', task_params: { limit: ['web', 'db'], tags: ['a'] } });
});

describe('an integration', () => {
  const good = () => ({ name: 'x', template_id: templateId });
  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x' }, 'template_id'],
    [{ auth_method: 'basic' }, 'auth_method'],
    [{ auth_method: 'token' }, 'auth_header'],
    [{ auth_method: 'hmac', auth_header: '' }, 'auth_header'],
    [{ auth_method: 'token', auth_header: 'X-A\r\nX-Admin: 1' }, 'auth_header'],
    [{ auth_header: 'X A' }, 'auth_header'],
    [{ auth_header: 'X:' }, 'auth_header'],
    [{ auth_secret_id: 4711 }, 'auth_secret_id'],
    [{ template_id: 4711 }, 'template_id'],
    [{ searchable: 'yes' }, 'searchable'],
    [{ task_params: { limit: 5 } }, 'task_params.limit'],
    [{ project_id: 4711 }, 'project_id'],
  ])('%j is none, and the field is named', async (wrong: object, field) => {
    const isWhole = Object.keys(wrong).length === 0 || 'name' in wrong;
    const answer = await post(isWhole ? wrong : { ...good(), ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
  });

  test('takes a key only if it has a password, and only of its own project', async () => {
    const foreign = await aPasswordKey(server, other.id, 'x');
    const without = await aKey(server, project.id);
    for (const auth_secret_id of [foreign, without]) {
      const answer = await post({ ...good(), auth_method: 'github', auth_secret_id });
      expect([answer.status, answer.error.details]).toMatchObject([400, [{ path: 'auth_secret_id' }]]);
    }
    const foreignTemplate = await aTemplate(server, other);
    expect((await post({ ...good(), template_id: foreignTemplate })).error.code).toBe('unknown_reference');
  });

  test('is changed under its own id only', async () => {
    const { id } = await anIntegration(server, project);
    expect((await put(id, { ...good(), id: id + 1 })).status).toBe(400);
    expect((await put(id, { ...good(), project_id: other.id })).status).toBe(400);
    expect((await put(4711, good())).status).toBe(404);
    expect((await get(id)).name).not.toBe('x');
  });
});

test('those without the right to change the project only read', async () => {
  const { id } = await anIntegration(server, project, { name: 'Kept' });
  for (const { session: by } of [project.manager, project.runner, project.guest]) {
    expect((await post({ name: 'x', template_id: templateId }, by)).status).toBe(403);
    expect((await put(id, { name: 'x', template_id: templateId }, by)).status).toBe(403);
    expect((await server.ask(integrationRoutes.remove, { params: at(id), session: by })).status).toBe(403);
    expect((await server.ask(integrationRoutes.get, { params: at(id), session: by })).status).toBe(200);
  }
  expect((await get(id)).name).toBe('Kept');
});

test('an integration of another project is not there', async () => {
  const { id } = await anIntegration(server, other);
  for (const route of [integrationRoutes.get, integrationRoutes.references, integrationRoutes.remove]) {
    expect((await server.ask(route, { params: at(id), session: session() })).status).toBe(404);
  }
  expect((await put(id, { name: 'x', template_id: templateId })).status).toBe(404);
});

test('the list is sorted by name, in both directions', async () => {
  const own = await aProject(server);
  for (const name of ['b', 'A', 'c']) await anIntegration(server, own, { name });
  const list = async (query: object) => {
    const params = { project_id: own.id };
    const { body } = await server.ask(integrationRoutes.list, { params, query, session: own.guest.session });
    return body.map(({ name }) => name).join('');
  };
  expect(await list({})).toBe('Abc');
  expect(await list({ sort: 'name', order: 'desc' })).toBe('cbA');
});

test('nothing is ever in the way of a deletion, and what belongs to the integration goes with it; its tasks stay', async () => {
  const { id, alias } = await anIntegration(server, project, {
    matchers: [{ key: 'a', value: '1' }],
    values: [{ key: 'a', variable: 'a' }],
  });
  await server.call('POST', `/integrations/${alias}`, { body: { a: 1 } });
  const [task] = await listTasksOf(server, id);
  const refs = await server.ask(integrationRoutes.references, { params: at(id), session: session() });
  expect(refs.body).toEqual({
    templates: [],
    inventories: [],
    repositories: [],
    integrations: [],
    schedules: [],
    matchers: [],
    values: [],
  });
  expect((await server.ask(integrationRoutes.remove, { params: at(id), session: session() })).status).toBe(204);
  const tables = ['integration_alias', 'integration_matcher', 'integration_value', 'integration_delivery'] as const;
  for (const table of tables) {
    const rows = await server.database.read.selectFrom(table).select('id').where('integration_id', '=', id).execute();
    expect(rows).toEqual([]);
  }
  const kept = await server.call('GET', `/project/${project.id}/tasks/${task?.id}`, { session: session() });
  expect(kept.body).toMatchObject({ integration_id: null });
  expect((await server.call('POST', `/integrations/${alias}`)).status).toBe(404);
});

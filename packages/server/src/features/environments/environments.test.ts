import { environmentRoutes } from '@signalbox/contract/environments';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEnvironmentSecret } from '../../engine/stored-secrets.ts';
import { anEnvironment, aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
const secret = 'correct-horse-battery-staple';

beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
});
afterAll(() => server.stop());

const at = (id: number) => ({ project_id: project.id, environment_id: id });
const session = () => project.manager.session;

async function create(body: object) {
  return server.call('POST', `/project/${project.id}/environment`, { session: session(), body });
}
async function change(id: number, body: object) {
  return server.call('PUT', `/project/${project.id}/environment/${id}`, { session: session(), body: { id, ...body } });
}
async function get(id: number) {
  return server.ask(environmentRoutes.get, { params: at(id), session: session() });
}
/** The stored secrets by name, opened. */
async function readSecrets(id: number): Promise<Record<string, string>> {
  const rows = await server.database.read
    .selectFrom('environment_secret')
    .selectAll()
    .where('environment_id', '=', id)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.name, openEnvironmentSecret(server.database.keyring, row)]));
}

async function aGroup(): Promise<number> {
  const created = await server.ask(environmentRoutes.create, {
    params: { project_id: project.id },
    body: {
      name: 'Group',
      json: '{"a": 1}',
      env: '{"B": "2"}',
      secrets: [
        { type: 'var', name: 'ONE', secret: `${secret}-1`, operation: 'create' },
        { type: 'env', name: 'TWO', secret: `${secret}-2` },
      ],
    },
    session: session(),
  });
  expect(created.status).toBe(201);
  return created.body.id;
}

test('a group is stored with its secrets, which are sealed and never sent', async () => {
  const id = await aGroup();
  const got = await get(id);
  expect(got.body).toMatchObject({ name: 'Group', json: '{"a": 1}', env: '{"B": "2"}' });
  expect(got.body.secrets).toMatchObject([
    { type: 'var', name: 'ONE', secret: '' },
    { type: 'env', name: 'TWO', secret: '' },
  ]);
  const list = await server.ask(environmentRoutes.list, { params: { project_id: project.id }, session: session() });
  expect(list.body.find((group) => group.id === id)?.secrets).toBeNull();
  expect(got.text + list.text).not.toContain(secret);
  const rows = await server.database.read.selectFrom('environment_secret').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(await readSecrets(id)).toEqual({ ONE: `${secret}-1`, TWO: `${secret}-2` });
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x', json: '' }, 'json'],
  [{ name: 'x', json: '[]' }, 'json'],
  [{ name: 'x', json: '{' }, 'json'],
  [{ name: 'x', env: '{"A": 1}' }, 'env'],
  [{ name: 'x', env: '{' }, 'env'],
  [{ name: 'x', env: '{"A=B": "1"}' }, 'env'],
  [{ name: 'x', env: '{"": "1"}' }, 'env'],
  [{ name: 'x', env: '{"A": "\\u0000"}' }, 'env'],
  [{ name: 'x', secrets: [{ type: 'var', name: 'A B', secret: 'x' }] }, 'secrets.0.name'],
  [{ name: 'x', secrets: [{ type: 'file', name: 'A', secret: 'x' }] }, 'secrets.0.type'],
  [{ name: 'x', secrets: [{ type: 'var', name: 'A' }] }, 'secrets.0.secret'],
  [{ name: 'x', secrets: [{ type: 'env', name: 'A', secret: 'a\0b' }] }, 'secrets.0.secret'],
  [{ name: 'x', secrets: [{ id: 1, type: 'var', name: 'A', secret: 'x', operation: 'update' }] }, 'secrets.0.id'],
  [{ name: 'x', project_id: 77 }, 'project_id'],
])('a wrong group is refused, names the field and stores nothing: %j', async (body, field) => {
  const count = async () =>
    (await server.ask(environmentRoutes.list, { params: { project_id: project.id }, session: session() })).body.length;
  const before = await count();
  const answer = await create(body);
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
  expect(await count()).toBe(before);
});

test('secrets are created, changed and deleted by operation; others stay', async () => {
  const id = await aGroup();
  const [one, two] = (await get(id)).body.secrets ?? [];
  const answer = await change(id, {
    name: 'Renamed',
    secrets: [
      { id: one?.id, type: 'var', name: 'ONE', secret: 'new', operation: 'update' },
      { type: 'env', name: 'THREE', secret: 'three', operation: 'create' },
      { id: two?.id, type: 'env', name: 'IGNORED', secret: 'ignored' },
    ],
  });
  expect(answer.status).toBe(204);
  expect(await readSecrets(id)).toEqual({ ONE: 'new', TWO: `${secret}-2`, THREE: 'three' });
  expect((await get(id)).body).toMatchObject({ name: 'Renamed', json: '{"a": 1}', env: '{"B": "2"}' });
  await change(id, { name: 'Renamed', secrets: [{ id: two?.id, type: 'env', name: 'TWO', operation: 'delete' }] });
  expect(await readSecrets(id)).toEqual({ ONE: 'new', THREE: 'three' });
});

test('an empty value on update keeps the stored one, and two secrets may change names', async () => {
  const id = await aGroup();
  const [one, two] = (await get(id)).body.secrets ?? [];
  await change(id, {
    name: 'Group',
    secrets: [
      { id: one?.id, type: 'var', name: 'TWO', secret: '', operation: 'update' },
      { id: two?.id, type: 'var', name: 'ONE', secret: '', operation: 'update' },
    ],
  });
  expect(await readSecrets(id)).toEqual({ ONE: `${secret}-2`, TWO: `${secret}-1` });
});

test('a name that is there twice is refused and changes nothing', async () => {
  const id = await aGroup();
  const answer = await change(id, {
    name: 'Other',
    secrets: [{ type: 'var', name: 'ONE', secret: 'x', operation: 'create' }],
  });
  expect([answer.status, answer.error.code]).toEqual([409, 'not_unique']);
  expect((await get(id)).body.name).toBe('Group');
});

test('the secret of another group cannot be changed or deleted', async () => {
  const other = await aGroup();
  const [foreign] = (await get(other)).body.secrets ?? [];
  const id = await aGroup();
  for (const operation of ['update', 'delete']) {
    const secrets = [{ id: foreign?.id, type: 'var', name: 'ONE', secret: 'stolen', operation }];
    expect((await change(id, { name: 'Group', secrets })).status).toBe(400);
  }
  expect((await readSecrets(other)).ONE).toBe(`${secret}-1`);
});

test('of two requests that add a secret of one name at once, one is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await aGroup();
    const secrets = [{ type: 'var', name: 'NEW', secret: 'x', operation: 'create' }];
    const answers = await Promise.all([change(id, { name: 'A', secrets }), change(id, { name: 'B', secrets })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(Object.keys(await readSecrets(id))).toHaveLength(3);
  }
});

test('an explicit null clears the process environment', async () => {
  const id = await aGroup();
  await change(id, { name: 'Group', env: null });
  expect((await get(id)).body.env).toBeNull();
});

test('a group in use is not deleted; after that its secrets go with it', async () => {
  const id = await aGroup();
  const templateId = await aTemplate(server, project, { environment_id: id });
  const refused = await server.ask(environmentRoutes.remove, { params: at(id), session: session() });
  expect(refused.status).toBe(409);
  expect(refused.error).toMatchObject({ inUse: true, details: { templates: [{ id: templateId }] } });
  await server.database.transact((db) => db.deleteFrom('template').where('id', '=', templateId).execute());
  expect((await server.ask(environmentRoutes.remove, { params: at(id), session: session() })).status).toBe(204);
  expect(await readSecrets(id)).toEqual({});
});

test('a group of another project is not found', async () => {
  const foreign = await aProject(server);
  const id = await anEnvironment(server, foreign);
  expect((await get(id)).status).toBe(404);
  expect((await change(id, { name: 'x' })).status).toBe(404);
  expect((await server.ask(environmentRoutes.remove, { params: at(id), session: session() })).status).toBe(404);
  expect((await server.ask(environmentRoutes.references, { params: at(id), session: session() })).status).toBe(404);
});

import { keyRoutes } from '@signalbox/contract/keys';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aKey, aPasswordKey, aProject, aRepository, aTemplate, type TestProject } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
const secret = 'correct-horse-battery-staple';

beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
});
afterAll(() => server.stop());

const params = () => ({ project_id: project.id });

test('a manager stores a key, and its secret is in no answer and in no row', async () => {
  const session = project.manager.session;
  const created = await server.ask(keyRoutes.create, {
    params: params(),
    body: { name: ' Deploy ', type: 'login_password', login_password: { login: 'root', password: secret } },
    session,
  });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: created.body.id,
    project_id: project.id,
    name: 'Deploy',
    type: 'login_password',
    login_password: { login: '', password: '' },
    ssh: { login: '', passphrase: '', private_key: '' },
    string: '',
    override_secret: false,
  });
  const got = await server.ask(keyRoutes.get, { params: { ...params(), key_id: created.body.id }, session });
  const list = await server.ask(keyRoutes.list, { params: params(), session });
  expect(list.body.map(({ name }) => name)).toContain('Deploy');
  expect(got.text + list.text + created.text).not.toContain(secret);
  const row = await server.database.read
    .selectFrom('key')
    .select('secret')
    .where('id', '=', created.body.id)
    .executeTakeFirstOrThrow();
  expect(row.secret).not.toContain(secret);
  expect(row.secret).toMatch(/^sb1:/);
});

test.each([
  [{ name: '', type: 'none' }, 'name'],
  [{ name: 'x', type: 'string' }, 'type'],
  [{ name: 'x', type: 'ssh', ssh: { login: 'root' } }, 'ssh.private_key'],
  [{ name: 'x', type: 'login_password' }, 'login_password.password'],
  [{ name: 'x', type: 'login_password', login_password: { password: 'a\0b' } }, 'login_password.password'],
  [{ name: 'x', type: 'ssh', ssh: { private_key: '\ud800' } }, 'ssh.private_key'],
  [{ type: 'none' }, 'name'],
  [{ name: 'x', type: 'none', project_id: 999 }, 'project_id'],
])('a key with wrong fields is refused and names the field: %j', async (body, field) => {
  const before = await server.ask(keyRoutes.list, { params: params(), session: project.owner.session });
  const answer = await server.call('POST', `/project/${project.id}/keys`, { session: project.owner.session, body });
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
  const after = await server.ask(keyRoutes.list, { params: params(), session: project.owner.session });
  expect(after.body).toEqual(before.body);
});

test('a rename keeps type and secret, and override_secret replaces both', async () => {
  const id = await aPasswordKey(server, project.id, secret);
  const session = project.owner.session;
  const place = { ...params(), key_id: id };
  const readSecret = () =>
    server.database.read.selectFrom('key').select(['name', 'type', 'secret']).where('id', '=', id).executeTakeFirst();
  const before = await readSecret();
  const renamed = await server.ask(keyRoutes.update, {
    params: place,
    body: { id, name: 'Renamed', type: 'ssh', ssh: { login: '', passphrase: '', private_key: 'x' } },
    session,
  });
  expect(renamed.status).toBe(204);
  expect(await readSecret()).toEqual({ ...before, name: 'Renamed' });
  await server.ask(keyRoutes.update, {
    params: place,
    body: { id, name: 'Renamed', type: 'none', override_secret: true },
    session,
  });
  expect(await readSecret()).toEqual({ name: 'Renamed', type: 'none', secret: null });
});

test('an override without the secret is refused and changes nothing', async () => {
  const id = await aPasswordKey(server, project.id, secret);
  const answer = await server.ask(keyRoutes.update, {
    params: { ...params(), key_id: id },
    body: { id, name: 'Other', override_secret: true },
    session: project.owner.session,
  });
  expect(answer.status).toBe(400);
  const got = await server.ask(keyRoutes.get, {
    params: { ...params(), key_id: id },
    session: project.owner.session,
  });
  expect(got.body.name).not.toBe('Other');
});

test('a key whose secret was never given says that it is empty', async () => {
  const id = await aPasswordKey(server, project.id, secret);
  await server.database.transact((db) => db.updateTable('key').set({ secret: null }).where('id', '=', id).execute());
  const got = await server.ask(keyRoutes.get, {
    params: { ...params(), key_id: id },
    session: project.guest.session,
  });
  expect(got.body.empty).toBe(true);
});

test('a key in use is not deleted, and the answer names what uses it', async () => {
  const own = await aProject(server);
  const session = own.owner.session;
  const repositoryId = await aRepository(server, own);
  const place = { project_id: own.id, key_id: own.noneKeyId };
  const refused = await server.ask(keyRoutes.remove, { params: place, session });
  expect(refused.status).toBe(409);
  expect(refused.error).toMatchObject({ code: 'in_use', inUse: true });
  const references = await server.ask(keyRoutes.references, { params: place, session });
  expect(refused.error.details).toEqual(references.body);
  const none = { templates: [], inventories: [], integrations: [], schedules: [] };
  expect(references.body).toEqual({ ...none, repositories: [{ id: repositoryId, name: expect.any(String) }] });
  await server.ask(repositoryRoutes.remove, { params: { project_id: own.id, repository_id: repositoryId }, session });
  expect((await server.ask(keyRoutes.remove, { params: place, session })).status).toBe(204);
  expect((await server.ask(keyRoutes.get, { params: place, session })).status).toBe(404);
});

test('a key that a vault uses is not deleted', async () => {
  const id = await aPasswordKey(server, project.id, secret);
  const templateId = await aTemplate(server, project, { vaults: [{ type: 'password', vault_key_id: id }] });
  const refused = await server.ask(keyRoutes.remove, {
    params: { ...params(), key_id: id },
    session: project.owner.session,
  });
  expect(refused.error.details).toMatchObject({ templates: [{ id: templateId }] });
});

test('a key whose password a vault uses stays one with a password', async () => {
  const id = await aPasswordKey(server, project.id, secret);
  const templateId = await aTemplate(server, project, { vaults: [{ vault_key_id: id }] });
  const session = project.owner.session;
  const change = (body: object) =>
    server.call('PUT', `/project/${project.id}/keys/${id}`, { session, body: { id, name: 'Vault', ...body } });
  const ssh = { login: '', passphrase: '', private_key: 'x' };
  for (const body of [{ type: 'none' }, { type: 'ssh', ssh }]) {
    const answer = await change({ ...body, override_secret: true });
    expect(answer.error).toMatchObject({ code: 'in_use', details: { templates: [{ id: templateId }] } });
  }
  const login_password = { login: '', password: 'another' };
  expect((await change({ type: 'login_password', login_password, override_secret: true })).status).toBe(204);
});

test('a key of another project is not found, by whatever path', async () => {
  const foreign = await aProject(server);
  const session = project.owner.session;
  const place = { project_id: project.id, key_id: foreign.noneKeyId };
  expect((await server.ask(keyRoutes.get, { params: place, session })).status).toBe(404);
  expect((await server.ask(keyRoutes.references, { params: place, session })).status).toBe(404);
  const change = { id: foreign.noneKeyId, name: 'Taken' };
  expect((await server.ask(keyRoutes.update, { params: place, body: change, session })).status).toBe(404);
  expect((await server.ask(keyRoutes.remove, { params: place, session })).status).toBe(404);
  const own = { project_id: foreign.id, key_id: foreign.noneKeyId };
  expect((await server.ask(keyRoutes.get, { params: own, session: foreign.owner.session })).status).toBe(200);
});

test('keys are sorted by the column that was asked for, and by name otherwise', async () => {
  const own = await aProject(server);
  await aPasswordKey(server, own.id, secret);
  await aKey(server, own.id);
  const session = own.guest.session;
  const list = async (query: { sort?: string; order?: string }) =>
    (await server.ask(keyRoutes.list, { params: { project_id: own.id }, query, session })).body;
  const byName = (await list({})).map(({ name }) => name);
  expect(byName).toEqual([...byName].sort());
  expect((await list({ sort: 'name', order: 'desc' })).map(({ name }) => name)).toEqual(byName.toReversed());
  expect((await list({ sort: 'type' }))[0]?.type).toBe('login_password');
  expect((await list({ sort: 'secret' })).map(({ name }) => name)).toEqual(byName);
});

test('every change of a key is in the activity list', async () => {
  const own = await aProject(server);
  const session = own.owner.session;
  const { body } = await server.ask(keyRoutes.create, {
    params: { project_id: own.id },
    body: { name: 'Seen', type: 'none' },
    session,
  });
  const place = { project_id: own.id, key_id: body.id };
  await server.ask(keyRoutes.update, { params: place, body: { id: body.id, name: 'Seen again' }, session });
  await server.ask(keyRoutes.remove, { params: place, session });
  const events = await server.database.read
    .selectFrom('event')
    .select(['description', 'user_id', 'object_id'])
    .where('project_id', '=', own.id)
    .orderBy('id')
    .execute();
  expect(events.map(({ description }) => description)).toEqual([
    'Access Key Seen created',
    'Access Key Seen again updated',
    'Access Key Seen again deleted',
  ]);
  expect(events.every((event) => event.user_id === own.owner.id && event.object_id === body.id)).toBe(true);
});

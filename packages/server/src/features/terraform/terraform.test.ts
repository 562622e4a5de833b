import { keyRoutes } from '@signalbox/contract/keys';
import { terraformRoutes } from '@signalbox/contract/terraform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOf } from '../../db/sealed-columns.ts';
import { aKey, anInventory, aPasswordKey, aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { insertTask } from '../../test/rows.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

type Place = { project: TestProject; templateId: number; workspace: number; keyId: number };
const webHost = 'https://ops.example.org/sb';

let server: TestServer;
let own: Place;
let foreign: Place;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_WEB_HOST: webHost } });
  own = await aPlace(server);
  foreign = await aPlace(server);
});
afterAll(() => server.stop());

async function aPlace(of: TestServer): Promise<Place> {
  const project = await aProject(of);
  const templateId = await aTemplate(of, project, { app: 'terraform', playbook: '' });
  const { inventory_id } = await of.database.read
    .selectFrom('template')
    .select('inventory_id')
    .where('id', '=', templateId)
    .executeTakeFirstOrThrow();
  const keyId = await aPasswordKey(of, project.id, 'state-password');
  return { project, templateId, workspace: inventory_id ?? 0, keyId };
}

const at = ({ project, workspace }: Place) => ({ project_id: project.id, inventory_id: workspace });
const create = (place: Place, auth_key_id: number, of = server) =>
  of.ask(terraformRoutes.createAlias, {
    params: at(place),
    body: { auth_key_id },
    session: place.project.manager.session,
  });
const list = async (place: Place, of = server) =>
  (await of.ask(terraformRoutes.listAliases, { params: at(place), session: place.project.guest.session })).body;

/** Rows as the state backend will write them. */
async function aState(place: Place, text: string, change: { byTemplate?: string; task_id?: number } = {}) {
  const { byTemplate, task_id = null } = change;
  return server.database.transact(async (db) => {
    const { id } = await db
      .insertInto('terraform_state')
      .values({
        project_id: place.project.id,
        inventory_id: byTemplate === undefined ? place.workspace : null,
        template_id: byTemplate === undefined ? null : place.templateId,
        workspace: byTemplate ?? 'default',
        task_id,
        created: Date.parse('2026-05-01T00:00:00Z'),
        serial: 3,
        state: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const state = server.database.keyring.seal(text, placeOf('terraform_state', id));
    await db.updateTable('terraform_state').set({ state }).where('id', '=', id).execute();
    return id;
  });
}

test('an address of the state is made, gets another key, and goes', async () => {
  const place = await aPlace(server);
  const session = place.project.manager.session;
  const made = await create(place, place.keyId);
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: made.body.id,
    url: expect.stringMatching(/^https:\/\/ops\.example\.org\/sb\/api\/terraform\/[0-9a-f]{32}$/),
    auth_key_id: place.keyId,
  });
  const second = await create(place, place.keyId);
  expect(second.body.url).not.toBe(made.body.url);
  expect(await list(place)).toEqual([made.body, second.body]);
  const other = await aPasswordKey(server, place.project.id, 'other');
  const params = { ...at(place), alias_id: made.body.id };
  const body = { id: made.body.id, auth_key_id: other };
  expect((await server.ask(terraformRoutes.updateAlias, { params, body, session })).status).toBe(204);
  expect(await list(place)).toEqual([{ ...made.body, auth_key_id: other }, second.body]);
  const wrong = { id: second.body.id, auth_key_id: other };
  expect((await server.ask(terraformRoutes.updateAlias, { params, body: wrong, session })).status).toBe(400);
  expect((await server.ask(terraformRoutes.removeAlias, { params, session })).status).toBe(204);
  expect(await list(place)).toEqual([second.body]);
  expect((await server.ask(terraformRoutes.removeAlias, { params, session })).status).toBe(404);
});

test('the key is one with a password, of this project', async () => {
  const before = await list(own);
  for (const [key, code] of [
    [await aKey(server, own.project.id), 'invalid'],
    [foreign.keyId, 'unknown_reference'],
    [999_999, 'unknown_reference'],
  ] as const) {
    const answer = await create(own, key);
    expect([answer.status, answer.error.code, answer.error.details]).toMatchObject([
      400,
      code,
      [{ path: 'auth_key_id' }],
    ]);
  }
  expect(await list(own)).toEqual(before);
});

test('the key of an address is in use: it stays, and stays one with a password', async () => {
  const keyId = await aPasswordKey(server, own.project.id, 'in-use');
  await create(own, keyId);
  const session = own.project.owner.session;
  const params = { project_id: own.project.id, key_id: keyId };
  const refs = await server.ask(keyRoutes.references, { params, session });
  expect(refs.body.inventories).toMatchObject([{ id: own.workspace }]);
  expect((await server.ask(keyRoutes.remove, { params, session })).status).toBe(409);
  const body = { id: keyId, name: 'x', type: 'none', override_secret: true } as const;
  const changed = await server.ask(keyRoutes.update, { params, body, session });
  expect(changed.error).toMatchObject({ code: 'in_use', details: { inventories: [{ id: own.workspace }] } });
});

test('only a workspace has an address', async () => {
  const hosts = await anInventory(server, own.project);
  const answer = await create({ ...own, workspace: hosts }, own.keyId);
  expect(answer.status).toBe(400);
  expect(await list({ ...own, workspace: hosts })).toEqual([]);
});

test('states are listed newest first without their text, and one is read with it', async () => {
  const place = await aPlace(server);
  const task_id = await server.database.transact((db) =>
    insertTask(db, { project_id: place.project.id, template_id: place.templateId, status: 'success' }),
  );
  const first = await aState(place, '{"serial":3,"secret":"hunter2"}', { task_id });
  const second = await aState(place, '{}', { byTemplate: 'default' });
  await aState(place, '{}', { byTemplate: 'elsewhere' });
  const { body, text } = await server.ask(terraformRoutes.listStates, {
    params: at(place),
    session: place.project.guest.session,
  });
  const created = '2026-05-01T00:00:00.000Z';
  expect(body).toEqual([
    { id: second, task_id: null, status: null, created, serial: 3 },
    { id: first, task_id, status: 'success', created, serial: 3 },
  ]);
  expect(text).not.toMatch(/hunter2|sb1:/);
  const params = { ...at(place), state_id: first };
  const read = await server.ask(terraformRoutes.getState, { params, session: place.project.manager.session });
  expect(read.body).toEqual({ ...body[1], state: '{"serial":3,"secret":"hunter2"}' });
  const guest = await server.ask(terraformRoutes.getState, { params, session: place.project.guest.session });
  expect(guest.status).toBe(403);
});

test('a workspace without a state says so', async () => {
  const params = { ...at(own), state_id: 1_000_000 };
  const session = own.project.manager.session;
  expect((await server.ask(terraformRoutes.getState, { params, session })).status).toBe(404);
  const none = await server.ask(terraformRoutes.listStates, { params: at(own), session });
  expect(none.body).toEqual([]);
});

test('nothing of another project is found, whichever id is foreign', async () => {
  const state = await aState(foreign, '{}');
  const alias = (await create(foreign, foreign.keyId)).body.id;
  const session = own.project.manager.session;
  const body = { auth_key_id: own.keyId };
  const foreignWorkspace = { project_id: own.project.id, inventory_id: foreign.workspace };
  for (const place of [at(own), foreignWorkspace]) {
    const params = { ...place, alias_id: alias, state_id: state };
    expect((await server.ask(terraformRoutes.updateAlias, { params, body, session })).status).toBe(404);
    expect((await server.ask(terraformRoutes.removeAlias, { params, session })).status).toBe(404);
    expect((await server.ask(terraformRoutes.getState, { params, session })).status).toBe(404);
  }
  const params = foreignWorkspace;
  expect((await server.ask(terraformRoutes.listAliases, { params, session })).status).toBe(404);
  expect((await server.ask(terraformRoutes.listStates, { params, session })).status).toBe(404);
  expect((await server.ask(terraformRoutes.createAlias, { params, body, session })).status).toBe(404);
  expect(await list(foreign)).toMatchObject([{ id: alias, auth_key_id: foreign.keyId }]);
});

test('while the backend is off, addresses are only listed and deleted', async () => {
  const off = await startTestServer({ env: { SIGNALBOX_TERRAFORM_BACKEND: '0' } });
  const place = await aPlace(off);
  const session = place.project.owner.session;
  const alias = await off.database.transact((db) =>
    db
      .insertInto('terraform_alias')
      .values({
        project_id: place.project.id,
        inventory_id: place.workspace,
        alias: 'left-over',
        auth_key_id: place.keyId,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const refused = await create(place, place.keyId, off);
  expect([refused.status, refused.error.error]).toEqual([
    403,
    'The state backend for Terraform is switched off on this server',
  ]);
  const params = { ...at(place), alias_id: alias.id };
  const body = { auth_key_id: place.keyId };
  expect((await off.ask(terraformRoutes.updateAlias, { params, body, session })).status).toBe(403);
  expect((await off.ask(terraformRoutes.listStates, { params: at(place), session })).status).toBe(403);
  const state = { ...at(place), state_id: 1 };
  expect((await off.ask(terraformRoutes.getState, { params: state, session })).status).toBe(403);
  expect(await list(place, off)).toHaveLength(1);
  expect((await off.ask(terraformRoutes.removeAlias, { params, session })).status).toBe(204);
  await off.stop();
});

test('every change of an address is in the activity list, without the address', async () => {
  const place = await aPlace(server);
  const { body } = await create(place, place.keyId);
  const params = { ...at(place), alias_id: body.id };
  const session = place.project.manager.session;
  await server.ask(terraformRoutes.updateAlias, { params, body: { auth_key_id: place.keyId }, session });
  await server.ask(terraformRoutes.removeAlias, { params, session });
  const events = await server.database.read
    .selectFrom('event')
    .select('description')
    .where('project_id', '=', place.project.id)
    .where('description', 'like', 'State address%')
    .orderBy('id')
    .execute();
  expect(events.map(({ description }) => description.replace(/^.* /, ''))).toEqual(['created', 'updated', 'deleted']);
  expect(JSON.stringify(events)).not.toContain(body.url.split('/').at(-1));
});

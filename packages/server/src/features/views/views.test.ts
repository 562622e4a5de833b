import { templateRoutes } from '@signalbox/contract/templates';
import { viewRoutes } from '@signalbox/contract/views';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../../test/factories.ts';
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
const at = (id: number, of = project) => ({ project_id: of.id, view_id: id });
const send = (method: 'POST' | 'PUT', path: string, body: unknown) =>
  server.call(method, `/project/${project.id}/views${path}`, { session: session(), body });
async function aView(title: string, of = project, position?: number): Promise<number> {
  const { body } = await server.ask(viewRoutes.create, {
    params: { project_id: of.id },
    body: { title, ...(position === undefined ? {} : { position }) },
    session: of.manager.session,
  });
  return body.id;
}
const list = async (of = project) =>
  (await server.ask(viewRoutes.list, { params: { project_id: of.id }, session: of.guest.session })).body;

test('a view is stored after the last one, and everybody in the project reads it', async () => {
  const own = await aProject(server);
  const ask = (body: { title: string; position?: number }) =>
    server.ask(viewRoutes.create, { params: { project_id: own.id }, body, session: own.manager.session });
  const first = await ask({ title: ' Builds ' });
  expect([first.status, first.body]).toEqual([
    201,
    { id: first.body.id, project_id: own.id, title: 'Builds', position: 0 },
  ]);
  const second = await ask({ title: 'Deploys' });
  expect(second.body.position).toBe(1);
  const top = await ask({ title: 'Top', position: -1 });
  expect(await list(own)).toEqual([top.body, first.body, second.body]);
  const got = await server.ask(viewRoutes.get, { params: at(first.body.id, own), session: own.guest.session });
  expect(got.body).toEqual(first.body);
});

test.each([
  [{}, 'title'],
  [{ title: '  ' }, 'title'],
  [{ title: 'x'.repeat(101) }, 'title'],
  [{ title: 'x', position: 1.5 }, 'position'],
  [{ title: 'x', position: 1e9 }, 'position'],
  [{ title: 'x', project_id: 4711 }, 'project_id'],
])('%j is no view, and the field is named', async (body, field) => {
  const before = await list();
  const answer = await send('POST', '', body);
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
  expect(await list()).toEqual(before);
});

test('a change of the title keeps the position, and stays in the project', async () => {
  const id = await aView('Old', project, 7);
  expect((await send('PUT', `/${id}`, { id, title: 'New' })).status).toBe(204);
  expect((await list()).find((view) => view.id === id)).toMatchObject({ title: 'New', position: 7 });
  expect((await send('PUT', `/${id}`, { id, title: 'x', project_id: foreign.id })).status).toBe(400);
  expect((await send('PUT', `/${id}`, { id: id + 1, title: 'x' })).status).toBe(400);
  expect((await send('PUT', `/${id}`, { title: 'x' })).status).toBe(400);
  expect((await list()).find((view) => view.id === id)?.title).toBe('New');
});

test('positions are all set or none', async () => {
  const [one, two] = [await aView('One', project, 0), await aView('Two', project, 1)];
  expect((await send('POST', '/positions', { [one]: 5, [two]: 4 })).status).toBe(204);
  const positions = async () => Object.fromEntries((await list()).map(({ id, position }) => [id, position]));
  expect(await positions()).toMatchObject({ [one]: 5, [two]: 4 });
  const other = await aView('Other', foreign, 3);
  for (const id of [other, 999_999]) {
    expect((await send('POST', '/positions', { [one]: 9, [id]: 9 })).status).toBe(404);
  }
  expect(await positions()).toMatchObject({ [one]: 5, [two]: 4 });
  expect((await list(foreign)).find(({ id }) => id === other)?.position).toBe(3);
});

test.each([
  ['[]'],
  ['{"x": 1}'],
  ['{"0": 1}'],
  ['{"-1": 1}'],
  ['{"1": "1"}'],
  ['{"1": null}'],
  ['{"1": 0.5}'],
  ['{"constructor": 1}'],
])('%s are no positions', async (body) => {
  expect((await send('POST', '/positions', body)).status).toBe(400);
});

test('the templates of a view are those of the list, and stay when it is deleted', async () => {
  const id = await aView('Tab');
  const second = await aTemplate(server, project, { name: 'b', view_id: id });
  const first = await aTemplate(server, project, { name: 'A', view_id: id });
  await aTemplate(server, project);
  const templates = await server.ask(viewRoutes.templates, { params: at(id), session: project.guest.session });
  expect(templates.body.map((template) => template.id)).toEqual([first, second]);
  const all = await server.ask(templateRoutes.list, { params: { project_id: project.id }, session: session() });
  expect(all.body.filter((template) => template.view_id === id)).toEqual(templates.body);
  const query = { sort: 'name', order: 'desc' };
  const sorted = await server.ask(viewRoutes.templates, { params: at(id), query, session: session() });
  expect(sorted.body.map((template) => template.id)).toEqual([second, first]);
  expect((await server.ask(viewRoutes.remove, { params: at(id), session: session() })).status).toBe(204);
  const params = { project_id: project.id, template_id: first };
  expect((await server.ask(templateRoutes.get, { params, session: session() })).body.view_id).toBeNull();
  expect((await server.ask(viewRoutes.templates, { params: at(id), session: session() })).status).toBe(404);
});

test('a view of another project is not found', async () => {
  const id = await aView('Foreign', foreign);
  for (const route of [viewRoutes.get, viewRoutes.templates, viewRoutes.remove] as const) {
    expect((await server.ask(route, { params: at(id), session: session() })).status).toBe(404);
  }
  expect((await send('PUT', `/${id}`, { id, title: 'Taken' })).status).toBe(404);
  expect((await list(foreign)).find((view) => view.id === id)?.title).toBe('Foreign');
});

test('every change of a view is in the activity list', async () => {
  const own = await aProject(server);
  const id = await aView('Seen', own);
  const base = `/project/${own.id}/views`;
  await server.call('PUT', `${base}/${id}`, { session: own.owner.session, body: { id, title: 'Again' } });
  await server.call('POST', `${base}/positions`, { session: own.owner.session, body: { [id]: 3 } });
  await server.ask(viewRoutes.remove, { params: at(id, own), session: own.owner.session });
  const events = await server.database.read
    .selectFrom('event')
    .select('description')
    .where('project_id', '=', own.id)
    .orderBy('id')
    .execute();
  expect(events.map(({ description }) => description)).toEqual([
    'View Seen created',
    'View Again updated',
    'Views reordered',
    'View Again deleted',
  ]);
});

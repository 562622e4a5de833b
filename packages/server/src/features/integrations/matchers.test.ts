import { eventRoutes } from '@signalbox/contract/events';
import { integrationMatcherRoutes } from '@signalbox/contract/integration-matchers';
import { integrationValueRoutes } from '@signalbox/contract/integration-values';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aProject, type TestProject } from '../../test/factories.ts';
import { anIntegration } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let id: number;
let sibling: number;
beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
  ({ id } = await anIntegration(server, project));
  ({ id: sibling } = await anIntegration(server, project));
});
afterAll(() => server.stop());

const session = () => project.owner.session;
const pathOf = (parts: string, integration = id) => `/project/${project.id}/integrations/${integration}/${parts}`;
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, by = session()) =>
  server.call(method, path, { session: by, ...(body === undefined ? {} : { body }) });

const matcher = { name: 'm', match_type: 'body', body_data_type: 'json', method: 'equals', key: 'ref', value: 'x' };
const value = { name: 'v', value_source: 'body', body_data_type: 'json', key: 'after', variable: 'commit' };

describe.each([
  ['matchers', matcher, 200, 'integrationmatcher'],
  ['values', value, 201, 'integrationextractvalue'],
] as const)('%s', (parts, good, createdStatus, objectType) => {
  test('are added, read, changed and deleted, each with its event', async () => {
    const created = await call('POST', pathOf(parts), { ...good, integration_id: id, project_id: project.id });
    expect(created.status).toBe(createdStatus);
    const { id: partId } = created.body as { id: number };
    expect(created.body).toEqual({ ...good, id: partId, integration_id: id });
    const place = pathOf(`${parts}/${partId}`);
    expect((await call('GET', place)).body).toEqual(created.body);
    expect((await call('GET', pathOf(parts), undefined, project.guest.session)).body).toContainEqual(created.body);
    expect((await call('PUT', place, { ...good, id: partId, name: 'other' })).status).toBe(204);
    expect((await call('GET', place)).body).toMatchObject({ ...good, name: 'other' });
    const refs = await call('GET', `${place}/refs`);
    expect(refs.body).toEqual({ templates: [], inventories: [], repositories: [], integrations: [], schedules: [] });
    expect((await call('DELETE', place)).status).toBe(204);
    expect((await call('GET', place)).status).toBe(404);
    const params = { project_id: project.id };
    const { body: events } = await server.ask(eventRoutes.lastOfProject, { params, session: session() });
    const own = events.filter((event) => event.object_type === objectType && event.object_id === partId);
    expect(own.map(({ description }) => description.replace(/^.* /, ''))).toEqual(['deleted', 'updated', 'created']);
  });

  test('of another integration are not there, and the path decides, not the body', async () => {
    const created = await call('POST', pathOf(parts), good);
    const { id: partId } = created.body as { id: number };
    const elsewhere = pathOf(`${parts}/${partId}`, sibling);
    for (const path of [elsewhere, `${elsewhere}/refs`]) expect((await call('GET', path)).status).toBe(404);
    expect((await call('PUT', elsewhere, { ...good, id: partId, name: 'stolen' })).status).toBe(404);
    expect((await call('PUT', elsewhere, { ...good, integration_id: id })).status).toBe(400);
    expect((await call('PUT', pathOf(`${parts}/${partId}`), { ...good, id: partId + 1 })).status).toBe(400);
    expect((await call('DELETE', elsewhere)).status).toBe(404);
    expect((await call('GET', pathOf(`${parts}/${partId}`))).body).toEqual(created.body);
    expect((await call('POST', pathOf(parts, 4711), good)).status).toBe(404);
    expect((await call('POST', pathOf(parts), { ...good, integration_id: sibling })).status).toBe(400);
    expect((await call('GET', pathOf(parts, 4711))).status).toBe(404);
  });

  test('are changed by nobody without the right to change the project', async () => {
    const created = await call('POST', pathOf(parts), good);
    const place = pathOf(`${parts}/${(created.body as { id: number }).id}`);
    for (const { session: by } of [project.manager, project.runner, project.guest]) {
      expect((await call('POST', pathOf(parts), good, by)).status).toBe(403);
      expect((await call('PUT', place, { ...good, name: 'x' }, by)).status).toBe(403);
      expect((await call('DELETE', place, undefined, by)).status).toBe(403);
    }
    expect((await call('GET', place)).body).toEqual(created.body);
  });
});

test.each([
  [{ name: '' }, 'name'],
  [{ match_type: 'query' }, 'match_type'],
  [{ match_type: undefined }, 'match_type'],
  [{ method: 'regex' }, 'method'],
  [{ body_data_type: 'xml' }, 'body_data_type'],
  [{ body_data_type: '' }, 'body_data_type'],
  [{ body_data_type: undefined }, 'body_data_type'],
  [{ key: '' }, 'key'],
  [{ key: undefined }, 'key'],
  [{ match_type: 'header', key: 'X A' }, 'key'],
  [{ match_type: 'header', key: 'X-A\r\nX-B' }, 'key'],
  [{ value: '' }, 'value'],
  [{ value: 'a\0' }, 'value'],
  [{ key: 'k'.repeat(1001) }, 'key'],
])('%j makes no matcher, and the field is named', async (wrong, field) => {
  const answer = await call('POST', pathOf('matchers'), { ...matcher, ...wrong });
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
});

test.each([
  [{ name: '' }, 'name'],
  [{ value_source: 'query' }, 'value_source'],
  [{ body_data_type: 'xml' }, 'body_data_type'],
  [{ body_data_type: null }, 'body_data_type'],
  [{ key: '' }, 'key'],
  [{ value_source: 'header', key: undefined }, 'key'],
  [{ value_source: 'header', key: 'X A' }, 'key'],
  [{ variable: '' }, 'variable'],
  [{ variable: '-e' }, 'variable'],
  [{ variable: 'a b' }, 'variable'],
  [{ variable: '__proto__' }, 'variable'],
])('%j makes no extracted value, and the field is named', async (wrong, field) => {
  const answer = await call('POST', pathOf('values'), { ...value, ...wrong });
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
});

test('a header needs no format, and the body as it is needs no key', async () => {
  const header = await call('POST', pathOf('values'), { ...value, value_source: 'header', body_data_type: null });
  expect(header.body).toMatchObject({ value_source: 'header', body_data_type: 'string', key: 'after' });
  const body = await call('POST', pathOf('values'), { ...value, body_data_type: 'string', key: undefined });
  expect(body.body).toMatchObject({ body_data_type: 'string', key: '' });
  const match = await call('POST', pathOf('matchers'), { ...matcher, match_type: 'header', body_data_type: '' });
  expect(match.status).toBe(200);
});

test('of a value only what is sent changes, and what comes of it must be whole', async () => {
  const created = await call('POST', pathOf('values'), value);
  const place = pathOf(`values/${(created.body as { id: number }).id}`);
  expect((await call('PUT', place, { variable: 'sha' })).status).toBe(204);
  expect((await call('GET', place)).body).toEqual({ ...(created.body as object), variable: 'sha' });
  expect((await call('PUT', place, { key: '' })).error.details).toEqual([{ path: 'key', message: 'is required' }]);
  expect((await call('PUT', place, { value_source: 'header', key: 'a b' })).status).toBe(400);
  expect((await call('GET', place)).body).toMatchObject({ key: 'after', value_source: 'body' });
});

test('matchers come in the order in which they are looked at, values by name', async () => {
  const { id: own } = await anIntegration(server, project);
  const params = { project_id: project.id, integration_id: own };
  for (const name of ['b', 'a', 'c']) {
    await call('POST', pathOf('matchers', own), { ...matcher, name });
    await call('POST', pathOf('values', own), { ...value, name });
  }
  const matchers = await server.ask(integrationMatcherRoutes.list, { params, session: session() });
  expect(matchers.body.map(({ name }) => name).join('')).toBe('bac');
  const values = await server.ask(integrationValueRoutes.list, {
    params,
    query: { order: 'desc' },
    session: session(),
  });
  expect(values.body.map(({ name }) => name).join('')).toBe('cba');
});

import { type App, appRoutes, defaultApps } from '@signalbox/contract/apps';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let admin: TestUser;
let project: TestProject;

beforeEach(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
  project = await aProject(server);
}, 60_000);
afterEach(() => server.stop());

function save(id: string, body: Record<string, unknown>, method: 'PUT' | 'POST' = 'PUT') {
  return server.call(method, `/apps/${id}`, { session: admin.session, body });
}

function remove(id: string) {
  return server.call('DELETE', `/apps/${id}`, { session: admin.session });
}

async function read(id: string): Promise<App> {
  return (await server.ask(appRoutes.get, { params: { app_id: id }, session: admin.session })).body;
}

async function listEvents() {
  const rows = await server.database.read
    .selectFrom('event')
    .select(['project_id', 'user_id', 'object_name', 'description'])
    .where('object_type', '=', 'app')
    .orderBy('id')
    .execute();
  return rows;
}

describe('an app of the operator', () => {
  test.each(['PUT', 'POST'] as const)('is added by %s, and changed by the next one', async (method) => {
    expect(
      (await save('ruby', { title: 'Ruby', path: '/usr/bin/ruby', args: ['-w'], active: true }, method)).status,
    ).toBe(204);
    expect(await read('ruby')).toEqual({
      id: 'ruby',
      title: 'Ruby',
      icon: '',
      color: '',
      dark_color: '',
      path: '/usr/bin/ruby',
      args: ['-w'],
      priority: 0,
      active: true,
    });
    expect((await save('ruby', { args: null, priority: 5, color: '#c00' }, method)).status).toBe(204);
    expect(await read('ruby')).toMatchObject({ title: 'Ruby', args: null, priority: 5, color: '#c00', active: true });
    const { body } = await server.ask(appRoutes.list, { session: project.guest.session });
    expect(body.map(({ id }) => id)).toContain('ruby');
  });

  test('runs templates, and is kept while one uses it', async () => {
    await save('ruby', { active: true });
    const templateId = await aTemplate(server, project, { app: 'ruby', name: 'Gem' });
    const refused = await remove('ruby');
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'in_use', inUse: true, details: { templates: [{ id: templateId, name: 'Gem' }], schedules: [] } },
    ]);
    await server.call('DELETE', `/project/${project.id}/templates/${templateId}`, { session: admin.session });
    expect((await remove('ruby')).status).toBe(204);
    expect((await remove('ruby')).status).toBe(404);
  });

  test('has a name of its own that is a plain word', async () => {
    const odd = ['Ruby', '1ruby', '-ruby', '.ruby', 'ru by', 'ru%2fby', '..%2fbash', 'constructor', '__proto__'];
    for (const id of [...odd, 'x'.repeat(51)]) {
      expect((await save(id, { title: 'x' })).status, id).toBe(400);
    }
    expect(await listEvents()).toEqual([]);
  });

  const wrong: [string, Record<string, unknown>][] = [
    ['a path that is an option', { path: '--version' }],
    ['a path of two lines', { path: 'ruby\nrm' }],
    ['a path with NUL', { path: 'a\0b' }],
    ['arguments that are a text', { args: '-w' }],
    ['an argument that is no text', { args: [1] }],
    ['a colour that is a style', { color: 'red; background: url(x)' }],
    ['a priority that is no integer', { priority: 1.5 }],
    ['a flag that is text', { active: 'yes' }],
  ];
  test('does not take what is none of its parts', async () => {
    for (const [name, body] of wrong) expect((await save('ruby', body)).status, name).toBe(400);
    expect((await server.call('GET', '/apps/ruby', { session: admin.session })).status).toBe(404);
  });
});

describe('a default app', () => {
  test('is not deleted', async () => {
    for (const id of defaultApps) {
      const answer = await remove(id);
      expect([answer.status, answer.error.code]).toEqual([409, 'conflict']);
      expect(await read(id)).toMatchObject({ id });
    }
  });

  test('takes another command and other arguments, and keeps its looks', async () => {
    expect((await save('bash', { path: '/opt/bash', args: ['-eu'] })).status).toBe(204);
    expect(await read('bash')).toMatchObject({ path: '/opt/bash', args: ['-eu'], title: 'Bash Script', active: true });
  });
});

test('an app that is switched off keeps its templates and gets no new ones', async () => {
  const templateId = await aTemplate(server, project, { name: 'Old' });
  const { session } = admin;
  expect((await server.call('POST', '/apps/bash/active', { session, body: { active: false } })).status).toBe(204);
  expect((await server.call('POST', '/apps/odd/active', { session, body: { active: false } })).status).toBe(404);
  expect((await server.call('POST', '/apps/bash/active', { session, body: {} })).status).toBe(400);
  expect(await read('bash')).toMatchObject({ active: false });
  const path = `/project/${project.id}/templates`;
  const old = (await server.call('GET', `${path}/${templateId}`, { session })).body as Record<string, unknown>;
  expect((await server.call('POST', path, { session, body: old })).error.code).toBe('unknown_reference');
  const kept = await server.call('PUT', `${path}/${templateId}`, { session, body: { ...old, name: 'Renamed' } });
  expect([kept.status, kept.text]).toEqual([204, '']);
});

test('every change of an app is in the activity list, of no project', async () => {
  await save('ruby', {});
  await save('ruby', { priority: 1 });
  await server.call('POST', '/apps/ruby/active', { session: admin.session, body: { active: true } });
  await remove('ruby');
  const told = { project_id: null, user_id: admin.id, object_name: 'ruby' };
  expect(await listEvents()).toEqual(
    ['created', 'updated', 'switched on', 'deleted'].map((what) => ({ ...told, description: `App ruby ${what}` })),
  );
});

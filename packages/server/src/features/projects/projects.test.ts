import { environmentRoutes } from '@signalbox/contract/environments';
import { eventRoutes } from '@signalbox/contract/events';
import { keyRoutes } from '@signalbox/contract/keys';
import { projectRoutes } from '@signalbox/contract/projects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let admin: TestUser;
const told: string[] = [];
let woken = 0;
beforeAll(async () => {
  server = await startTestServer({
    onChange: (projectId, object) => {
      told.push(`${projectId} ${object}`);
    },
    engine: {
      askRunner: async () => ({ ok: true, text: '' }),
      wakeQueue: () => {
        woken += 1;
      },
    },
  });
  project = await aProject(server);
  admin = await aUser(server, { admin: true });
});
afterAll(() => server.stop());

const change = (session: string, body: object) => server.call('PUT', `/project/${project.id}`, { session, body });
const get = async (id: number, session = admin.session) =>
  server.ask(projectRoutes.get, { params: { project_id: id }, session });

test('an administrator creates a project with all its settings, owns it, and finds a key and a group in it', async () => {
  const input = { name: ' Site ', alert: true, alert_chat: '42', max_parallel_tasks: 3, type: 'x' };
  const created = await server.ask(projectRoutes.create, { body: input, session: admin.session });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ ...input, name: 'Site' });
  const { id } = created.body;
  const params = { project_id: id };
  expect((await get(id)).body).toEqual(created.body);
  const role = await server.ask(projectRoutes.role, { params, session: admin.session });
  expect(role.body).toEqual({ role: 'owner', permissions: 15 });
  const keys = await server.ask(keyRoutes.list, { params, session: admin.session });
  expect(keys.body).toMatchObject([{ name: 'None', type: 'none' }]);
  const groups = await server.ask(environmentRoutes.list, { params, session: admin.session });
  expect(groups.body).toMatchObject([{ name: 'Empty', json: '{}' }]);
  const events = await server.ask(eventRoutes.lastOfProject, { params, session: admin.session });
  expect(events.body).toMatchObject([
    {
      description: 'Project created',
      object_type: 'project',
      object_id: id,
      object_name: 'Site',
      username: admin.actor.username,
      project_name: 'Site',
    },
  ]);
});

test('others create projects only where the setting says so', async () => {
  const refused = await server.ask(projectRoutes.create, { body: { name: 'x' }, session: project.owner.session });
  expect(refused.status).toBe(403);
  const open = await startTestServer({ env: { SIGNALBOX_NON_ADMIN_CAN_CREATE_PROJECT: '1' } });
  const user = await aUser(open);
  expect((await open.ask(projectRoutes.create, { body: { name: 'x' }, session: user.session })).status).toBe(201);
  const me = await open.call('GET', '/user', { session: user.session });
  expect(me.body).toMatchObject({ can_create_project: true });
  await open.stop();
});

test.each([
  [{}, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x', max_parallel_tasks: -1 }, 'max_parallel_tasks'],
  [{ name: 'x', max_parallel_tasks: 1.5 }, 'max_parallel_tasks'],
  [{ name: 'x', alert_chat: 'x'.repeat(31) }, 'alert_chat'],
])('%j is no project, and the field is named', async (body, field) => {
  const answer = await server.call('POST', '/projects', { session: admin.session, body });
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
});

test('the list has the projects of the caller, and all for administrators', async () => {
  const list = async (session: string) => (await server.ask(projectRoutes.list, { session })).body;
  expect((await list(project.guest.session)).map(({ id }) => id)).toEqual([project.id]);
  const all = await list(admin.session);
  expect(all.length).toBeGreaterThanOrEqual(2);
  const names = all.map(({ name }) => name.toLowerCase());
  expect(names).toEqual(names.toSorted());
});

test('an owner changes the settings; what is not said stays, and the queue looks again', async () => {
  const before = woken;
  expect((await change(project.owner.session, { id: project.id, name: 'A', max_parallel_tasks: 5 })).status).toBe(204);
  expect(woken).toBe(before + 1);
  expect(told).toContain(`${project.id} project`);
  await change(project.owner.session, { id: project.id, name: 'B', alert: true, alert_chat: null });
  expect((await get(project.id)).body).toMatchObject({
    name: 'B',
    max_parallel_tasks: 5,
    alert: true,
    alert_chat: null,
  });
});

test('a manager may not change the settings, and a body for another project is refused', async () => {
  expect((await change(project.manager.session, { id: project.id, name: 'x' })).status).toBe(403);
  expect((await change(project.owner.session, { id: 4711, name: 'x' })).status).toBe(400);
  expect((await change(project.owner.session, { name: 'x' })).status).toBe(400);
});

test('the role is that of the member, and empty for an administrator who is none', async () => {
  const roleOf = async (session: string) =>
    (await server.ask(projectRoutes.role, { params: { project_id: project.id }, session })).body;
  expect(await roleOf(project.owner.session)).toEqual({ role: 'owner', permissions: 15 });
  expect(await roleOf(project.manager.session)).toEqual({ role: 'manager', permissions: 5 });
  expect(await roleOf(project.runner.session)).toEqual({ role: 'task_runner', permissions: 1 });
  expect(await roleOf(project.guest.session)).toEqual({ role: 'guest', permissions: 0 });
  expect(await roleOf(admin.session)).toEqual({ role: '', permissions: 0 });
});

test('the activity list has the latest 200 events, newest first', async () => {
  const own = await aProject(server);
  const values = Array.from({ length: 250 }, (_, index) => ({
    created: index,
    project_id: own.id,
    user_id: index === 249 ? own.owner.id : null,
    integration_id: null,
    object_type: 'task',
    object_id: index,
    object_name: '',
    description: `Event ${index}`,
    address: '10.0.0.1',
  }));
  await server.database.transact((db) => db.insertInto('event').values(values).execute());
  const { body, text } = await server.ask(eventRoutes.lastOfProject, {
    params: { project_id: own.id },
    session: own.guest.session,
  });
  expect(body).toHaveLength(200);
  expect(body[0]).toMatchObject({
    description: 'Event 249',
    created: '1970-01-01T00:00:00.249Z',
    username: own.owner.actor.username,
  });
  expect(body[1]?.username).toBeNull();
  expect(text).not.toContain('10.0.0.1');
});

test('a change in a project is told to whoever watches it, a refused one is not', async () => {
  const { length } = told;
  const body = { name: 'x', type: 'none' };
  await server.call('POST', `/project/${project.id}/keys`, { session: project.owner.session, body });
  await server.call('POST', `/project/${project.id}/keys`, { session: project.guest.session, body });
  await server.call('POST', `/project/${project.id}/keys`, { session: project.owner.session, body: {} });
  expect(told.slice(length)).toEqual([`${project.id} keys`]);
});

test('in a public demo only administrators change something', async () => {
  const demo = await startTestServer({ env: { SIGNALBOX_DEMO_MODE: '1' } });
  const own = await aProject(demo);
  const boss = await aUser(demo, { admin: true });
  const body = { name: 'x', type: 'none' };
  const refused = await demo.call('POST', `/project/${own.id}/keys`, { session: own.owner.session, body });
  expect([refused.status, refused.error.code]).toEqual([403, 'read_only_demo']);
  expect((await demo.call('GET', `/project/${own.id}/keys`, { session: own.owner.session })).status).toBe(200);
  expect((await demo.call('POST', `/project/${own.id}/keys`, { session: boss.session, body })).status).toBe(201);
  await demo.stop();
});

test('a launch, a stop and a test of a repository are no change of a list, and are not told', async () => {
  const template_id = await aTemplate(server, project);
  const [repository] = (await server.call('GET', `/project/${project.id}/repositories`, { session: admin.session }))
    .body as { id: number }[];
  const { length } = told;
  const { session } = project.owner;
  const launched = await server.call('POST', `/project/${project.id}/tasks`, { session, body: { template_id } });
  expect(launched.status).toBe(201);
  const { id } = launched.body as { id: number };
  const paths = [`tasks/${id}/stop`, `repositories/${repository?.id}/test`];
  const answers = await Promise.all(
    paths.map((path) => server.call('POST', `/project/${project.id}/${path}`, { session })),
  );
  expect(answers.map(({ status }) => status)).toEqual([204, 200]);
  expect(told.slice(length)).toEqual([]);
});

import { eventRoutes } from '@signalbox/contract/events';
import { projectRoutes } from '@signalbox/contract/projects';
import { type Member, teamRoutes } from '@signalbox/contract/team';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aProject, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let admin: TestUser;
let project: TestProject;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
});
beforeEach(async () => {
  project = await aProject(server);
});
afterAll(() => server.stop());

const pathOf = (user?: TestUser) => `/project/${project.id}/users${user === undefined ? '' : `/${user.id}`}`;
const add = (by: TestUser, body: object) => server.call('POST', pathOf(), { session: by.session, body });
const change = (by: TestUser, of: TestUser, role: string) =>
  server.call('PUT', pathOf(of), { session: by.session, body: { role, name: 'ignored', project_id: 1 } });
const remove = (by: TestUser, of: TestUser) => server.call('DELETE', pathOf(of), { session: by.session });
const leave = (by: TestUser) => server.call('DELETE', `/project/${project.id}/me`, { session: by.session });
const roleOf = async (user: TestUser) => {
  const params = { project_id: project.id };
  return (await server.ask(projectRoutes.role, { params, session: user.session })).body.role;
};
const listTeam = async (query: { sort?: string; order?: string } = {}) => {
  const params = { project_id: project.id };
  return (await server.ask(teamRoutes.list, { params, query, session: project.guest.session })).body;
};
const describeTeam = async () => (await listTeam()).map(({ id, role }) => `${id} ${role}`);
const describeEvents = async () => {
  const params = { project_id: project.id };
  return (await server.ask(eventRoutes.lastOfProject, { params, session: admin.session })).body;
};

test('every member sees the team, with no address and no flag of an account', async () => {
  const answer = await server.call('GET', pathOf(), { session: project.guest.session });
  expect(answer.status).toBe(200);
  const { id, actor } = project.manager;
  const manager = { id, user_id: id, username: actor.username, name: actor.name, role: 'manager' };
  expect(answer.body).toContainEqual(manager);
  expect((answer.body as Member[]).length).toBe(4);
  expect(answer.text).not.toContain('@example.org');
  const one = await server.call('GET', pathOf(project.manager), { session: project.guest.session });
  expect([one.status, one.body]).toEqual([200, manager]);
  expect((await server.call('GET', pathOf(), { session: project.stranger.session })).status).toBe(404);
});

test('the team is sorted by name, user name, e-mail address or role, and by name where the column is not known', async () => {
  const roles = (await listTeam({ sort: 'role', order: 'desc' })).map(({ role }) => role);
  expect(roles).toEqual(['task_runner', 'owner', 'manager', 'guest']);
  for (const sort of ['name', 'username', 'email', 'password']) {
    const names = (await listTeam({ sort })).map(({ name }) => name.toLowerCase());
    expect(names, sort).toEqual(names.toSorted());
  }
});

test('an owner adds a member, which is told in the activity list', async () => {
  const newcomer = await aUser(server);
  const added = await add(project.owner, { user_id: newcomer.id, role: 'manager' });
  expect([added.status, added.text]).toEqual([204, '']);
  expect(await roleOf(newcomer)).toBe('manager');
  expect((await describeEvents())[0]).toMatchObject({
    object_type: 'user',
    object_id: newcomer.id,
    object_name: newcomer.actor.username,
    description: `User ${newcomer.actor.username} added to team as manager`,
    username: project.owner.actor.username,
  });
});

test('a member cannot be added again, nor somebody who does not exist', async () => {
  const again = await add(project.owner, { user_id: project.guest.id, role: 'owner' });
  expect([again.status, again.error.code]).toEqual([409, 'not_unique']);
  expect(await roleOf(project.guest)).toBe('guest');
  const nobody = await add(project.owner, { user_id: 999_999, role: 'guest' });
  expect([nobody.status, nobody.error.code]).toEqual([400, 'unknown_reference']);
  expect(nobody.error.details).toEqual([{ path: 'user_id', message: 'names no user' }]);
});

test.each([
  [{}, 'user_id'],
  [{ user_id: 'x', role: 'guest' }, 'user_id'],
  [{ user_id: -1, role: 'guest' }, 'user_id'],
  [{ user_id: 1, role: 'admin' }, 'role'],
  [{ user_id: 1, role: '' }, 'role'],
  [{ user_id: 1 }, 'role'],
])('%j adds nobody, and the field is named', async (body, path) => {
  const answer = await add(project.owner, body);
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path }));
});

test('who is no owner changes nothing in the team', async () => {
  const newcomer = await aUser(server);
  const before = await describeTeam();
  for (const member of [project.manager, project.runner, project.guest]) {
    expect((await add(member, { user_id: newcomer.id, role: 'guest' })).status).toBe(403);
    expect((await change(member, project.guest, 'owner')).status).toBe(403);
    expect((await remove(member, project.runner)).status).toBe(403);
  }
  expect((await change(project.stranger, project.guest, 'manager')).status).toBe(404);
  expect(await describeTeam()).toEqual(before);
});

test('an owner changes and ends the membership of others, also of another owner', async () => {
  expect((await change(project.owner, project.guest, 'owner')).status).toBe(204);
  expect(await roleOf(project.guest)).toBe('owner');
  expect((await change(project.guest, project.owner, 'task_runner')).status).toBe(204);
  expect(await roleOf(project.owner)).toBe('task_runner');
  expect((await remove(project.guest, project.owner)).status).toBe(204);
  expect((await server.call('GET', pathOf(project.owner), { session: admin.session })).status).toBe(404);
  const told = (await describeEvents()).map(({ description }) => description);
  expect(told).toEqual([
    `User ${project.owner.actor.username} removed from team`,
    `User ${project.owner.actor.username} has the role task_runner in the team`,
    `User ${project.guest.actor.username} has the role owner in the team`,
  ]);
});

test('an owner neither changes his own role, nor removes himself, nor leaves', async () => {
  await change(project.owner, project.guest, 'owner');
  const answers = [
    await change(project.owner, project.owner, 'guest'),
    await remove(project.owner, project.owner),
    await leave(project.owner),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect(answers[2]?.error.error).toBe('An owner cannot leave: another owner can take him out');
  expect(await roleOf(project.owner)).toBe('owner');
});

test('the last owner stays, whoever wants him out, and the answer says who it is', async () => {
  for (const answer of [await change(admin, project.owner, 'guest'), await remove(admin, project.owner)]) {
    expect([answer.status, answer.error.code]).toEqual([409, 'conflict']);
    expect(answer.error.error).toContain(project.owner.actor.username);
    const { id, actor } = project.owner;
    expect(answer.error.details).toEqual({ owners: [{ id, username: actor.username, name: actor.name }] });
  }
  expect(await roleOf(project.owner)).toBe('owner');
});

test('an administrator who is the last owner cannot leave, and can when there is another one', async () => {
  await add(admin, { user_id: admin.id, role: 'owner' });
  expect((await remove(admin, project.owner)).status).toBe(204);
  expect((await leave(admin)).status).toBe(409);
  await change(admin, project.guest, 'owner');
  expect((await leave(admin)).status).toBe(204);
  expect((await leave(admin)).status).toBe(404);
});

test('a member leaves and does not see the project any more', async () => {
  expect((await leave(project.guest)).status).toBe(204);
  const seen = await server.call('GET', `/project/${project.id}`, { session: project.guest.session });
  expect(seen.status).toBe(404);
  expect((await describeEvents())[0]?.description).toBe(`User ${project.guest.actor.username} left the team`);
  expect((await leave(project.stranger)).status).toBe(404);
});

test('a member of another project is not found in this one', async () => {
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const body = method === 'PUT' ? { body: { role: 'guest' } } : {};
    const answer = await server.call(method, pathOf(project.stranger), { session: project.owner.session, ...body });
    expect([method, answer.status]).toEqual([method, 404]);
  }
});

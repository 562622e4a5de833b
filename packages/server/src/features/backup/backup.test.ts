import { type Backup, backupRoutes, type RestoredProject } from '@signalbox/contract/backup';
import { eventRoutes } from '@signalbox/contract/events';
import { projectRoutes } from '@signalbox/contract/projects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { canaries, fillProject } from '../../test/full-project.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let admin: TestUser;
let project: TestProject;
let file: { text: string; body: Backup };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
  project = await aProject(server);
  await fillProject(server, project.id, project.owner);
  file = await backUp(project.id);
}, 60_000);
afterAll(() => server.stop());

async function backUp(id: number): Promise<{ text: string; body: Backup }> {
  const answer = await server.ask(backupRoutes.create, { params: { project_id: id }, session: admin.session });
  expect(answer.status).toBe(200);
  return answer;
}

async function restore(body: unknown): Promise<RestoredProject> {
  const answer = await server.call('POST', '/projects/restore', { session: admin.session, body });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.body as RestoredProject;
}

/** The file as it is where all its aliases are others. */
function replaceAliases(text: string, changes: RestoredProject['new_aliases']): string {
  return changes.reduce((changed, { alias, new_alias }) => changed.replace(`"${alias}"`, `"${new_alias}"`), text);
}

test('a backup names everything of the project, with no id and no null in it', () => {
  const { body, text } = file;
  const counts = Object.entries(body).map(([name, list]) => [name, Array.isArray(list) ? list.length : 1]);
  expect(Object.fromEntries(counts)).toEqual({
    meta: 1,
    views: 2,
    keys: 5,
    environments: 3,
    repositories: 3,
    inventories: 7,
    templates: 7,
    schedules: 3,
    integrations: 4,
    integration_aliases: 2,
  });
  expect(text).not.toMatch(/"(\w+_)?id":|null/);
});

test('names that are there twice get a number, and what names them follows', () => {
  expect(file.body.keys.slice(1).map(({ name }) => name)).toEqual(['None', 'Deploy', 'Deploy (3)', 'Deploy (2)']);
  expect(file.body.views.map(({ title }) => title)).toEqual(['Web', 'Web (2)']);
  expect(file.body.repositories.map(({ name, ssh_key }) => [name, ssh_key])).toEqual([
    ['Site', 'Deploy'],
    ['Site (2)', 'Deploy (3)'],
    ['Local', 'None'],
  ]);
});

test('a project restored from its backup has the same backup, byte by byte, but for aliases that are taken', async () => {
  const restored = await restore(file.body);
  expect(restored.not_carried).toEqual([]);
  // The project is still here, so all its aliases are taken.
  expect(restored.new_aliases).toHaveLength(7);
  expect((await backUp(restored.id)).text).toBe(replaceAliases(file.text, restored.new_aliases));
});

test('aliases stay where they are free, and the same backup comes of it', async () => {
  const again = await restore(file.body);
  const { text, body } = await backUp(again.id);
  const removed = await server.ask(projectRoutes.remove, { params: { project_id: again.id }, session: admin.session });
  expect(removed.status).toBe(204);
  const restored = await restore(body);
  expect(restored.new_aliases).toEqual([]);
  expect((await backUp(restored.id)).text).toBe(text);
});

test('none of 50 secrets is in a backup, nor in the answer of a restore', async () => {
  const answer = JSON.stringify(await restore(file.body));
  for (const canary of canaries) {
    expect(file.text).not.toContain(canary);
    expect(answer).not.toContain(canary);
  }
});

test('a restore says which keys and secrets are empty, and makes the caller the owner', async () => {
  const restored = await restore({ ...file.body, meta: { ...file.body.meta, name: 'Copy' } });
  expect(restored.name).toBe('Copy');
  expect(restored.empty_keys.map(({ name }) => name)).toEqual(['Deploy', 'Deploy (3)', 'Deploy (2)']);
  expect(restored.empty_secrets).toHaveLength(3 + 41);
  const params = { project_id: restored.id };
  const keys = await server.call('GET', `/project/${restored.id}/keys`, { session: admin.session });
  const empty = (keys.body as { id: number; empty?: true }[]).filter((key) => key.empty).map(({ id }) => id);
  expect(empty.toSorted()).toEqual(restored.empty_keys.map(({ id }) => id).toSorted());
  const role = await server.ask(projectRoutes.role, { params, session: admin.session });
  expect(role.body.role).toBe('owner');
  const events = await server.ask(eventRoutes.lastOfProject, { params, session: admin.session });
  expect(events.body.map(({ description }) => description)).toEqual(['Project restored from a backup']);
});

test('a restored project works: its secrets can be given, and its objects be changed and deleted', async () => {
  const { id } = await restore(file.body);
  const call = (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object) =>
    server.call(method, `/project/${id}/${path}`, { session: admin.session, body });
  const environments = (await call('GET', 'environment')).body as { id: number; name: string }[];
  const production = environments.find(({ name }) => name === 'Production');
  const { secrets } = (await call('GET', `environment/${production?.id}`)).body as { secrets: { id: number }[] };
  const operations = secrets.map((secret) => ({ ...secret, secret: 'new', operation: 'update' }));
  const change = { id: production?.id, name: 'Production', secrets: operations };
  expect((await call('PUT', `environment/${production?.id}`, change)).status).toBe(204);
  const lists = ['templates', 'inventory', 'schedules', 'integrations', 'views', 'repositories'];
  for (const list of lists) {
    for (const item of (await call('GET', list)).body as { id: number }[]) {
      const put = await call('PUT', `${list}/${item.id}`, item);
      expect([list, put.status, put.text]).toEqual([list, 204, '']);
    }
  }
});

test('members who may not update the project get no backup, and who may not create projects restores none', async () => {
  for (const member of [project.manager, project.runner, project.guest]) {
    const answer = await server.call('GET', `/project/${project.id}/backup`, { session: member.session });
    expect(answer.status).toBe(403);
  }
  const answer = await server.call('POST', '/projects/restore', { session: project.owner.session, body: file.body });
  expect(answer.status).toBe(403);
});

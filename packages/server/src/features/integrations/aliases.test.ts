import { integrationAliasRoutes } from '@signalbox/contract/integration-aliases';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, type TestProject } from '../../test/factories.ts';
import { aliasOf, anIntegration } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { type AliasRules, createAlias } from './aliases.ts';

let server: TestServer;
let project: TestProject;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_WEB_HOST: 'https://ops.example.org/box' } });
  project = await aProject(server);
});
afterAll(() => server.stop());

const session = () => project.owner.session;
const rules: AliasRules = { publicUrl: 'http://x', globalAlias: 'everything' };
/** Texts one after the other, as a random source that is out of luck would give them. */
const draw = (...texts: string[]) => {
  const rest = [...texts];
  return () => rest.shift() ?? 'exhausted';
};

test('an alias is 16 letters and digits under the public address, and no two are alike', async () => {
  const { id } = await anIntegration(server, project);
  const params = { project_id: project.id, integration_id: id };
  const urls = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const created = await server.ask(integrationAliasRoutes.create, { params, session: session() });
    expect(created.status).toBe(200);
    expect(created.body.url).toMatch(/^https:\/\/ops\.example\.org\/box\/api\/integrations\/[a-z0-9]{16}$/);
    urls.add(created.body.url);
  }
  expect(urls.size).toBe(20);
  const { body } = await server.ask(integrationAliasRoutes.list, { params, session: project.guest.session });
  expect(new Set(body.map(({ url }) => url)).isSupersetOf(urls)).toBe(true);
});

test('aliases of the project and of its integrations are separate lists, and each is deleted where it is', async () => {
  const own = await aProject(server);
  const by = own.owner.session;
  const { id } = await anIntegration(server, own);
  const { id: sibling } = await anIntegration(server, own);
  const ofProject = { project_id: own.id };
  const params = { ...ofProject, integration_id: id };
  const shared = await server.ask(integrationAliasRoutes.createForProject, { params: ofProject, session: by });
  const { body: ownAliases } = await server.ask(integrationAliasRoutes.list, { params, session: by });
  const [ownAlias] = ownAliases;
  expect((await server.ask(integrationAliasRoutes.listOfProject, { params: ofProject, session: by })).body).toEqual([
    shared.body,
  ]);
  expect(ownAliases).toHaveLength(1);
  const wrong = [
    `integrations/aliases/${ownAlias?.id}`,
    `integrations/${id}/aliases/${shared.body.id}`,
    `integrations/${sibling}/aliases/${ownAlias?.id}`,
  ];
  for (const path of wrong) {
    expect((await server.call('DELETE', `/project/${own.id}/${path}`, { session: by })).status).toBe(404);
  }
  const stranger = await server.call('DELETE', `/project/${project.id}/integrations/aliases/${shared.body.id}`, {
    session: session(),
  });
  expect(stranger.status).toBe(404);
  for (const path of [`integrations/aliases/${shared.body.id}`, `integrations/${id}/aliases/${ownAlias?.id}`]) {
    expect((await server.call('DELETE', `/project/${own.id}/${path}`, { session: by })).status).toBe(204);
    expect((await server.call('DELETE', `/project/${own.id}/${path}`, { session: by })).status).toBe(404);
  }
  expect((await server.ask(integrationAliasRoutes.list, { params, session: by })).body).toEqual([]);
});

test('only those who may change the project make and delete aliases', async () => {
  const { id } = await anIntegration(server, project);
  for (const { session: by } of [project.manager, project.guest]) {
    for (const path of ['integrations/aliases', `integrations/${id}/aliases`]) {
      expect((await server.call('POST', `/project/${project.id}/${path}`, { session: by })).status).toBe(403);
      expect((await server.call('DELETE', `/project/${project.id}/${path}/1`, { session: by })).status).toBe(403);
    }
  }
  expect(
    (await server.call('POST', `/project/${project.id}/integrations/4711/aliases`, { session: session() })).status,
  ).toBe(404);
});

test('the activity list tells of aliases without their text', async () => {
  const { alias } = await anIntegration(server, project, { name: 'Told' });
  const rows = await server.database.read.selectFrom('event').selectAll().execute();
  expect(rows.map(({ description }) => description)).toContain('Alias of integration Told created');
  expect(JSON.stringify(rows)).not.toContain(alias);
});

test('a text that is taken, also by another project or as the global alias, is drawn again', async () => {
  const owner = { projectId: project.id, integrationId: null };
  const elsewhere = { projectId: (await aProject(server)).id, integrationId: null };
  const actor = project.owner.actor;
  const first = await createAlias(server.database, { ...rules, drawText: draw('taken') }, actor, elsewhere);
  const drawText = draw('taken', 'everything', 'taken', 'free');
  const second = await createAlias(server.database, { ...rules, drawText }, actor, owner);
  expect([first, second].map(({ url }) => aliasOf(url))).toEqual(['taken', 'free']);
  await expect(createAlias(server.database, { ...rules, drawText: () => 'free' }, actor, owner)).rejects.toThrow();
});

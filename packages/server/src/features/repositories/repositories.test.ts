import { repositoryRoutes } from '@signalbox/contract/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aKey, aProject, aRepository, aTemplate, type TestProject } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
const asked: unknown[] = [];
beforeAll(async () => {
  server = await startTestServer({
    engine: {
      askRunner: async (question) => {
        asked.push(question);
        return { ok: true, text: 'a'.repeat(40) };
      },
    },
  });
  project = await aProject(server);
});
afterAll(() => server.stop());

const session = () => project.manager.session;
const at = (id: number) => ({ project_id: project.id, repository_id: id });
const create = (body: object) =>
  server.call('POST', `/project/${project.id}/repositories`, { session: session(), body });
const change = (id: number, body: object) =>
  server.call('PUT', `/project/${project.id}/repositories/${id}`, { session: session(), body: { id, ...body } });

test.each([
  ['https://git.example.org/site.git', 'main'],
  ['http://git.example.org/site.git', 'feature/x'],
  ['ssh://git@git.example.org:2222/site.git', 'main'],
  ['git@git.example.org:team/site.git', 'main'],
  ['git://git.example.org/site.git', 'main'],
  ['file:///srv/git/site.git', 'main'],
  ['/srv/git/site', ''],
])('%s with branch "%s" is stored', async (git_url, git_branch) => {
  const answer = await server.ask(repositoryRoutes.create, {
    params: { project_id: project.id },
    body: { name: 'Site', git_url: ` ${git_url} `, git_branch, ssh_key_id: project.noneKeyId },
    session: session(),
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: answer.body.id,
    project_id: project.id,
    name: 'Site',
    git_url,
    git_branch,
    ssh_key_id: project.noneKeyId,
    host_key_policy: 'accept-new',
  });
});

test.each([
  [{ git_url: '-uupload-pack', git_branch: 'main' }, 'git_url'],
  [{ git_url: 'ext::sh -c id', git_branch: 'main' }, 'git_url'],
  [{ git_url: 'ssh://-oProxyCommand=id/x', git_branch: 'main' }, 'git_url'],
  [{ git_url: 'ftp://git.example.org/x', git_branch: 'main' }, 'git_url'],
  [{ git_url: '', git_branch: 'main' }, 'git_url'],
  [{ git_url: 'https://me:geheim@git.example.org/x', git_branch: 'main' }, 'git_url'],
  [{ git_url: 'ssh://git:geheim@git.example.org:22/x', git_branch: 'main' }, 'git_url'],
  [{ git_url: 'https://git.example.org/x', git_branch: '-x' }, 'git_branch'],
  [{ git_url: 'https://git.example.org/x', git_branch: 'a..b' }, 'git_branch'],
  [{ git_url: 'https://git.example.org/x', git_branch: '' }, 'git_branch'],
  [{ git_url: 'https://git.example.org/x' }, 'git_branch'],
  [{ git_url: 'https://git.example.org/x', git_branch: 'main', ssh_key_id: null }, 'ssh_key_id'],
])('%j is refused and names the field', async (fields, field) => {
  const answer = await create({ name: 'x', ssh_key_id: project.noneKeyId, ...fields });
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
});

test('a key of another project is refused, on creation and on change', async () => {
  const foreign = await aProject(server);
  const id = await aRepository(server, project);
  const body = { name: 'x', git_url: '/srv/x', ssh_key_id: foreign.noneKeyId };
  for (const answer of [await create(body), await change(id, body)]) {
    expect(answer.error).toMatchObject({ code: 'unknown_reference', details: [{ path: 'ssh_key_id' }] });
  }
});

test('a change keeps the branch that it does not name, but no remote is left without one', async () => {
  const id = await aRepository(server, project);
  const body = { name: 'Moved', git_url: 'https://git.example.org/moved.git', ssh_key_id: project.noneKeyId };
  expect((await change(id, body)).status).toBe(204);
  const read = async () => (await server.ask(repositoryRoutes.get, { params: at(id), session: session() })).body;
  expect(await read()).toMatchObject({ name: 'Moved', git_branch: 'main' });
  expect((await change(id, { ...body, git_branch: '' })).status).toBe(400);
  expect((await change(id, { ...body, git_url: '/srv/moved', git_branch: '' })).status).toBe(204);
});

test('hosts of repositories are checked by the safe rule until another one is chosen, and a change keeps what was', async () => {
  const body = {
    name: 'Checked',
    git_url: 'git@git.example.org:a.git',
    git_branch: 'main',
    ssh_key_id: project.noneKeyId,
  };
  const made = (await create({ ...body, host_key_policy: 'strict' })).body as { id: number; host_key_policy: string };
  expect(made.host_key_policy).toBe('strict');
  expect((await change(made.id, body)).status).toBe(204);
  const read = async () => (await server.ask(repositoryRoutes.get, { params: at(made.id), session: session() })).body;
  expect((await read()).host_key_policy).toBe('strict');
  expect((await change(made.id, { ...body, host_key_policy: 'off' })).status).toBe(204);
  expect((await read()).host_key_policy).toBe('off');
  expect((await change(made.id, { ...body, host_key_policy: 'no' })).status).toBe(400);
  expect((await create({ ...body, host_key_policy: '-o ProxyCommand=id' })).status).toBe(400);
});

test('the test of a repository is a question to a runner', async () => {
  const id = await aRepository(server, project, 'https://git.example.org/asked.git');
  const answer = await server.ask(repositoryRoutes.test, { params: at(id), session: session() });
  expect(answer.body).toEqual({ ok: true, text: 'a'.repeat(40) });
  expect(asked).toEqual([{ kind: 'repository_test', projectId: project.id, repositoryId: id }]);
});

test('a password in the address is not in the activity list', async () => {
  await aRepository(server, project, 'https://bot:hunter2@git.example.org/site.git');
  const events = await server.database.read.selectFrom('event').select('description').execute();
  expect(events.map(({ description }) => description)).toContain(
    'Repository https://bot:…@git.example.org/site.git created',
  );
});

test('a repository in use is not deleted, an unused one is', async () => {
  const id = await aRepository(server, project);
  const templateId = await aTemplate(server, project, { repository_id: id });
  const refused = await server.ask(repositoryRoutes.remove, { params: at(id), session: session() });
  expect(refused.error).toMatchObject({ inUse: true, details: { templates: [{ id: templateId }] } });
  const references = await server.ask(repositoryRoutes.references, { params: at(id), session: session() });
  expect(references.body.templates.map((template) => template.id)).toEqual([templateId]);
  const unused = await aRepository(server, project);
  expect((await server.ask(repositoryRoutes.remove, { params: at(unused), session: session() })).status).toBe(204);
});

test('a repository of another project is not found', async () => {
  const foreign = await aProject(server);
  const id = await aRepository(server, foreign);
  for (const route of [repositoryRoutes.get, repositoryRoutes.references, repositoryRoutes.test] as const) {
    expect((await server.ask(route, { params: at(id), session: session() })).status).toBe(404);
  }
  const body = { name: 'x', git_url: '/srv/x', ssh_key_id: project.noneKeyId };
  expect((await change(id, body)).status).toBe(404);
  expect((await server.ask(repositoryRoutes.remove, { params: at(id), session: session() })).status).toBe(404);
});

test('repositories are sorted by what was asked for', async () => {
  const own = await aProject(server);
  const first = await aRepository(server, own, 'https://z.example.org/x');
  own.noneKeyId = await aKey(server, own.id);
  const second = await aRepository(server, own, 'https://a.example.org/x');
  const list = async (sort: string) =>
    (
      await server.ask(repositoryRoutes.list, {
        params: { project_id: own.id },
        query: { sort },
        session: own.guest.session,
      })
    ).body.map(({ id }) => id);
  expect(await list('git_url')).toEqual([second, first]);
  expect(await list('name')).toEqual([first, second]);
  expect(await list('ssh_key')).toEqual([first, second]);
});

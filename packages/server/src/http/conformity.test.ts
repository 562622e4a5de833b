import type { Route } from '@signalbox/contract/http/route';
import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  anEnvironment,
  anInventory,
  aProject,
  aRepository,
  aTemplate,
  aUser,
  type TestProject,
  type TestUser,
} from '../test/factories.ts';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';

/** What holds for every route, read from the table: a route that is added is covered on that day. More: test/api. */

let server: TestServer;
let project: TestProject;
let admin: TestUser;
let ids: Record<string, number>;

beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
  admin = await aUser(server, { admin: true });
  const repositoryId = await aRepository(server, project);
  ids = {
    project_id: project.id,
    key_id: project.noneKeyId,
    repository_id: repositoryId,
    inventory_id: await anInventory(server, project),
    environment_id: await anEnvironment(server, project),
    template_id: await aTemplate(server, project, { repository_id: repositoryId }),
    task_id: 1,
  };
});
afterAll(() => server.stop());

const fill = (path: string, values: Record<string, unknown>): string =>
  path.replace(/:(\w+)/g, (_match, name: string) => String(values[name] ?? 1));

type Named = { name: string; route: Route };
const routes = listRoutes();
const only = (matches: (route: Route) => boolean): Named[] => routes.filter(({ route }) => matches(route));
const inProject = only((route) => route.path.startsWith('/project/:project_id'));

function send({ route }: Named, user: TestUser | undefined, body?: unknown, values: Record<string, unknown> = ids) {
  const path = `${fill(route.path, values)}${route.query === undefined ? '' : '?q=x'}`;
  return server.call(route.method, path, {
    session: user?.session,
    ...(body === undefined ? {} : { body }),
  });
}

test('every route answers under its method and path', () => {
  const missing = routes.filter(
    ({ route }) => !server.http.fastify.hasRoute({ method: route.method, url: server.http.apiPath + route.path }),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe.each(inProject)('$name', (named) => {
  test('does not exist in a project that is not there, for administrators too', async () => {
    expect((await send(named, admin, {}, { ...ids, project_id: 999_999 })).status).toBe(404);
  });
});

const secrets = ['correct-horse-battery', 'staple-private-key', 'staple-passphrase', 'staple-variable', 'staple-env'];

/** Everything that can be read of a project that has a secret in every place. */
test('no answer to anybody holds a secret', async () => {
  const own = await aProject(server);
  const session = own.owner.session;
  const [password, privateKey, passphrase, variable, env] = secrets;
  const post = async (path: string, body: object) => {
    const answer = await server.call('POST', `/project/${own.id}/${path}`, { session, body });
    expect(answer.status).toBe(201);
    return { id: (answer.body as { id: number }).id, text: answer.text };
  };
  const key = await post('keys', { name: 'a', type: 'login_password', login_password: { login: 'root', password } });
  const ssh = await post('keys', { name: 'b', type: 'ssh', ssh: { login: 'x', passphrase, private_key: privateKey } });
  const group = await post('environment', {
    name: 'c',
    secrets: [
      { type: 'var', name: 'A', secret: variable },
      { type: 'env', name: 'B', secret: env },
    ],
  });
  const repositoryId = await aRepository(server, own);
  const vaults = [{ vault_key_id: key.id }];
  const templateId = await aTemplate(server, own, { repository_id: repositoryId, environment_id: group.id, vaults });
  const inventoryId = await anInventory(server, own);
  const places = {
    project_id: own.id,
    repository_id: repositoryId,
    template_id: templateId,
    inventory_id: inventoryId,
  };
  let read = key.text + ssh.text + group.text;
  for (const keyId of [key.id, ssh.id]) {
    for (const { route } of only((known) => known.method === 'GET')) {
      const path = fill(route.path, { ...places, key_id: keyId, environment_id: group.id, task_id: 1 });
      for (const user of [own.owner, admin]) read += (await server.call('GET', path, { session: user.session })).text;
    }
  }
  expect(read).toContain('"vault_key_id"');
  for (const secret of secrets) expect(read).not.toContain(secret);
  const sealed = await server.database.read
    .selectFrom('key')
    .select('secret')
    .where('secret', 'is not', null)
    .execute();
  for (const row of sealed) expect(read).not.toContain(row.secret);
  expect(read).not.toMatch(/argon2|token_hash|sb1:/);
});

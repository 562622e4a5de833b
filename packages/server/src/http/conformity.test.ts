import type { Route } from '@signalbox/contract/http/route';
import { isPermissionBit } from '@signalbox/contract/permissions';
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

/** What holds for every route, read from the table: a route that is added is covered on that day. */

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
const withBody = only((route) => route.body !== undefined);
const inProject = only((route) => route.path.startsWith('/project/:project_id'));
const forUsers = only((route) => route.permission !== 'public' && route.permission !== 'runner');

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

describe.each(forUsers)('$name', (named) => {
  test('refuses whoever is not signed in', async () => {
    const answer = await send(named, undefined, {});
    expect(answer.status).toBe(401);
    expect(answer.error.code).toBe('unauthenticated');
  });
});

describe.each(only((route) => route.permission === 'runner'))('$name', (named) => {
  test('refuses whoever has no runner token, administrators too', async () => {
    expect((await send(named, admin, {})).status).toBe(401);
  });
});

describe.each(inProject)('$name', (named) => {
  test('does not exist for a member of another project', async () => {
    const answer = await send(named, project.stranger, {});
    expect(answer.status).toBe(404);
    expect(answer.error.code).toBe('not_found');
  });

  test('does not exist in a project that is not there, for administrators too', async () => {
    expect((await send(named, admin, {}, { ...ids, project_id: 999_999 })).status).toBe(404);
  });

  test('takes no text for the id of the project', async () => {
    for (const bad of ['0', '-1', 'x', '1e3', '99999999999999999999', '%00', '1.5']) {
      expect((await send(named, admin, {}, { ...ids, project_id: bad })).status).toBe(400);
    }
  });
});

describe.each(only((route) => isPermissionBit(route.permission)))('$name', (named) => {
  test('refuses a guest of the project', async () => {
    const answer = await send(named, project.guest, {});
    expect(answer.status).toBe(403);
    expect(answer.error.code).toBe('forbidden');
  });
});

describe.each(only((route) => route.permission === 'admin'))('$name', (named) => {
  test('refuses whoever is no administrator', async () => {
    expect((await send(named, project.owner, {})).status).toBe(403);
  });
});

const wrongTypes: unknown[] = [
  null,
  0,
  true,
  'text',
  [],
  [{}],
  { id: 'x', name: {}, type: [], app: 1, template_id: '1', auth: 1, password: [] },
  { id: 1.5, name: '\0', type: 'none', secrets: [1], survey_vars: [null], params: 'x', git_url: 5 },
  { id: -1, name: '\ud800', type: 'ssh', ssh: [], json: '[', env: '[]', arguments: '{', message: '\0' },
  { id: 9e99, project_id: 1e21, name: 'x'.repeat(300), max_parallel_tasks: 1e300, timeout_seconds: -1 },
  { __proto__: { name: 'x' }, constructor: { prototype: {} }, name: 'x', inventory: { toString: 1 }, type: 'file' },
];

describe.each(withBody)('$name', (named) => {
  test('answers bad bodies with a 4xx', async () => {
    const { route } = named;
    for (const body of wrongTypes) {
      const session = route.permission === 'runner' || route.permission === 'public' ? undefined : admin;
      // Texts would be sent as they are.
      const answer = await send(named, session, typeof body === 'string' ? JSON.stringify(body) : body);
      const isFine = route.permission === 'public' || (answer.status >= 200 && answer.status < 500);
      expect([JSON.stringify(body), answer.status, isFine && answer.status < 500]).toEqual([
        JSON.stringify(body),
        answer.status,
        true,
      ]);
    }
    expect(server.logged).toEqual([]);
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

describe.each(routes)('$name', (named) => {
  test('answers broken JSON, broken ids and odd queries without a 5xx', async () => {
    const { route } = named;
    const session = admin.session;
    const path = fill(route.path, ids);
    const asked = [
      server.call(route.method, path, { session, body: '{"a":' }),
      server.call(route.method, path, { session, body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }),
      server.call(route.method, `${path}?sort=%00&order[]=1&limit=x&from=-1&count=1e9&q=%ff`, { session }),
      server.call(route.method, fill(route.path, { project_id: ids.project_id }).replaceAll('/1/', '/%2e%2e/'), {
        session,
      }),
    ];
    for (const answer of await Promise.all(asked)) expect(answer.status).toBeLessThan(500);
    expect(server.logged).toEqual([]);
  });
});

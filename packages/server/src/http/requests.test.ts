import { keyRoutes } from '@signalbox/contract/keys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, type TestProject } from '../test/factories.ts';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;

beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
});
afterAll(() => server.stop());

const keys = () => `/project/${project.id}/keys`;
const session = () => project.owner.session;

test('an unknown path of the API is 404, with the error body', async () => {
  const answer = await server.call('GET', '/nothing/here');
  expect(answer.status).toBe(404);
  expect(answer.error).toEqual({ error: 'There is no such route', code: 'not_found' });
});

test('a known path with another method is 405 and names the methods', async () => {
  const answer = await server.call('DELETE', keys(), { session: session() });
  expect(answer.status).toBe(405);
  expect(answer.error.code).toBe('method_not_allowed');
  expect(answer.headers.allow).toBe('GET, POST, HEAD');
});

test('a GET route answers HEAD without a body', async () => {
  const head = await server.call('HEAD', keys(), { session: session() });
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  expect(Number(head.headers['content-length'])).toBeGreaterThan(2);
});

test('one slash at the end is taken off, and no second one', async () => {
  expect((await server.call('GET', '/ping/')).text).toBe('pong');
  expect((await server.call('GET', `${keys()}/`, { session: session() })).status).toBe(200);
  expect((await server.call('GET', '/ping//')).status).toBe(404);
});

test('a body over 2 MB is 413, and the routes of keys take more', async () => {
  const body = JSON.stringify({ auth: 'a', password: 'x'.repeat(2 * 1024 * 1024) });
  const refused = await server.call('POST', '/auth/login', { body });
  expect(refused.status).toBe(413);
  expect(refused.error.code).toBe('too_large');
  const taken = await server.call('POST', keys(), {
    session: session(),
    body: { name: 'x', type: 'none', junk: body },
  });
  expect(taken.status).toBe(201);
});

test('a signed-out caller is refused before the body is read', async () => {
  const answer = await server.call('POST', keys(), { body: '{"broken' });
  expect(answer.status).toBe(401);
});

test('JSON nested deeper than 100 levels is 400, brackets in strings do not count', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const send = (body: string) => server.call('POST', keys(), { session: session(), body });
  const deep = await send(`{"name":"x","type":"none","x":${nested(100)}}`);
  expect(deep.status).toBe(400);
  expect(deep.error.code).toBe('bad_json');
  expect((await send(`{"name":"x","type":"none","x":${nested(99)}}`)).status).toBe(201);
  expect((await send(`{"name":"${'['.repeat(200)}\\"${'{'.repeat(200)}","type":"none"}`)).status).toBe(400);
  expect((await send(`{"name":"${'['.repeat(200)}\\"","type":"none"}`)).status).toBe(201);
  expect((await send(nested(100_000))).status).toBe(400);
});

test.each([
  ['{"name":', 'broken JSON'],
  ['', 'no body'],
  ['\ufeff{}x', 'text behind the object'],
  ['{"name":"a\u0000b","type":"none"}', 'a raw NUL'],
])('%j is 400 in the one shape of errors: %s', async (body) => {
  const answer = await server.call('POST', keys(), { session: session(), body });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.error)).toEqual(expect.arrayContaining(['error', 'code']));
});

test('NUL and broken characters in a text are refused and name the field', async () => {
  for (const name of ['a\0b', 'a\ud800b']) {
    const answer = await server.call('POST', keys(), { session: session(), body: { name, type: 'none' } });
    expect(answer.status).toBe(400);
    expect(answer.error.details).toMatchObject([{ path: 'name' }]);
  }
});

test('a body of another type is 415, and JSON needs no content type', async () => {
  const wrong = await server.call('POST', keys(), {
    session: session(),
    body: 'name=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(wrong.status).toBe(415);
  const bytes = await server.call('POST', keys(), {
    session: session(),
    body: '{}',
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(bytes.status).toBe(415);
});

test('unknown fields are ignored', async () => {
  const answer = await server.ask(keyRoutes.create, {
    params: { project_id: project.id },
    body: { name: 'x', type: 'none', shoe_size: 44 } as never,
    session: session(),
  });
  expect(answer.status).toBe(201);
  expect(answer.body).not.toHaveProperty('shoe_size');
});

test('a broken percent sign in the address is 400', async () => {
  expect((await server.call('GET', '/project/%zz/keys', { session: session() })).status).toBe(400);
});

test('a NUL in the address is 400, wherever it stands', async () => {
  for (const path of ['/ping?x=%00', `${keys()}?sort=%00`, '/nothing/%00', '/integrations/a%00b']) {
    const answer = await server.call('GET', path, { session: session() });
    expect([path, answer.status]).toEqual([path, 400]);
    expect(answer.error.code).toBe('invalid');
  }
});

test('every answer has the security headers, and what the API says is not kept', async () => {
  for (const path of ['/ping', '/nothing', keys()]) {
    const { headers } = await server.call('GET', path);
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  }
});

test('an error that nobody expected is logged once and told without its text', async () => {
  const broken = await startTestServer({
    engine: {
      readFacts: async () => {
        throw new Error('the password is swordfish');
      },
    },
  });
  const user = await aProject(broken);
  const answer = await broken.call('GET', '/info?q=hunter2', { session: user.guest.session });
  expect(answer.status).toBe(500);
  expect(answer.error.code).toBe('internal');
  expect(answer.text).not.toContain('swordfish');
  expect(broken.logged).toHaveLength(1);
  expect(broken.logged[0]).toContain('swordfish');
  expect(broken.logged[0]).toContain('/api/info');
  expect(broken.logged[0]).not.toContain('hunter2');
  await broken.stop();
});

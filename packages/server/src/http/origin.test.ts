import { keyRoutes } from '@signalbox/contract/keys';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../auth/tokens.ts';
import { aProject, type TestProject } from '../test/factories.ts';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';
import { hasOrigin } from './origin.ts';

describe('hasOrigin', () => {
  const webHost = new URL('https://ops.example.org/signalbox');
  test.each([
    ['https://ops.example.org', webHost, 'inner:3000', true],
    ['http://ops.example.org', webHost, 'ops.example.org', false],
    ['https://ops.example.org:8443', webHost, 'ops.example.org', false],
    ['https://ops.example.org.evil.com', webHost, 'ops.example.org', false],
    ['null', webHost, 'ops.example.org', false],
    ['http://127.0.0.1:3000', undefined, '127.0.0.1:3000', true],
    ['http://127.0.0.1:3001', undefined, '127.0.0.1:3000', false],
    ['https://box', undefined, 'box:443', true],
    ['http://BOX', undefined, 'box', true],
    ['http://box/path', undefined, 'box', false],
    ['http://box', undefined, undefined, false],
    ['null', undefined, 'null', false],
    ['', undefined, '', false],
    ['file://', undefined, '', false],
  ])('%s with %s and host %s: %s', (origin, host, header, expected) => {
    expect(hasOrigin(origin, host, header)).toBe(expected);
  });
});

describe('a state change by cookie', () => {
  let server: TestServer;
  let project: TestProject;
  beforeAll(async () => {
    server = await startTestServer({ env: { SIGNALBOX_WEB_HOST: 'https://ops.example.org' } });
    project = await aProject(server);
  });
  afterAll(() => server.stop());

  const create = (origin: string | undefined, headers: Record<string, string> = {}) =>
    server.call('POST', `/project/${project.id}/keys`, {
      session: project.owner.session,
      body: { name: 'x', type: 'none' },
      headers: { ...(origin === undefined ? {} : { origin }), ...headers },
    });
  const countKeys = async () =>
    (await server.ask(keyRoutes.list, { params: { project_id: project.id }, session: project.owner.session })).body
      .length;

  test('is refused from a foreign origin and from "null", and changes nothing', async () => {
    const before = await countKeys();
    for (const origin of ['https://evil.example.com', 'http://ops.example.org', 'null']) {
      const answer = await create(origin);
      expect(answer.status).toBe(403);
      expect(answer.error.code).toBe('foreign_origin');
    }
    expect(await countKeys()).toBe(before);
  });

  test('passes from our own origin and without one', async () => {
    expect((await create('https://ops.example.org')).status).toBe(201);
    expect((await create(undefined)).status).toBe(201);
  });

  test('by an API token passes from everywhere', async () => {
    await server.database.transact((db) =>
      db
        .insertInto('api_token')
        .values({
          id: 't',
          user_id: project.owner.id,
          name: '',
          token_hash: hashToken('abc'),
          created: 0,
          expires: null,
          last_used: null,
          revoked: false,
        })
        .execute(),
    );
    expect((await create('https://evil.example.com', { authorization: 'Bearer ABC' })).status).toBe(201);
  });

  test('reading is allowed whatever the origin is', async () => {
    const answer = await server.call('GET', `/project/${project.id}/keys`, {
      session: project.owner.session,
      headers: { origin: 'https://evil.example.com' },
    });
    expect(answer.status).toBe(200);
  });

  test('nobody is signed in or out from a foreign page', async () => {
    const headers = { origin: 'https://evil.example.com' };
    expect((await server.call('POST', '/auth/login', { headers, body: { auth: 'a', password: 'b' } })).status).toBe(
      403,
    );
    const out = await server.call('POST', '/auth/logout', { headers, session: project.owner.session });
    expect(out.status).toBe(403);
    expect((await server.call('GET', '/user', { session: project.owner.session })).status).toBe(200);
  });
});

import { authRoutes } from '@signalbox/contract/auth';
import { userRoutes } from '@signalbox/contract/users';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { hashPassword } from '../../auth/passwords.ts';
import { hashToken } from '../../auth/tokens.ts';
import { aUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

const day = 86_400_000;
let server: TestServer;
let hash: string;

beforeAll(async () => {
  server = await startTestServer();
  hash = await hashPassword('right');
});
afterAll(() => server.stop());
afterEach(async () => {
  vi.useRealTimers();
  await server.database.transact((db) => db.deleteFrom('login_failure').execute());
});

const login = (auth: string, password: string, headers: Record<string, string> = {}) =>
  server.call('POST', '/auth/login', { body: { auth, password }, headers });
const cookieOf = (answer: { headers: Record<string, unknown> }): string => String(answer.headers['set-cookie']);
const tokenOf = (cookie: string): string => /^signalbox=([^;]+)/.exec(cookie)?.[1] ?? '';
const currentUser = (session: string) => server.ask(userRoutes.current, { session });

test('a password opens a session whose cookie scripts cannot read', async () => {
  const user = await aUser(server, { username: 'Eve', password: hash });
  const answer = await login('eve', 'right');
  expect(answer.status).toBe(204);
  const cookie = cookieOf(answer);
  expect(cookie).toMatch(/^signalbox=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  const me = await currentUser(tokenOf(cookie));
  expect(me.body).toMatchObject({ id: user.id, username: 'Eve', can_create_project: false });
  expect(me.text).not.toContain('argon2');
});

test('the e-mail address signs in too, in any letter case', async () => {
  const user = await aUser(server, { password: hash });
  expect((await login(`${user.actor.username.toUpperCase()}@Example.org`, 'right')).status).toBe(204);
});

test('the database holds a hash of the session, not the session', async () => {
  const user = await aUser(server, { password: hash });
  const token = tokenOf(cookieOf(await login(user.actor.username, 'right', { 'user-agent': 'Test' })));
  const row = await server.database.read
    .selectFrom('session')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ user_id: user.id, user_agent: 'Test', verified: true });
  expect(JSON.stringify(row)).not.toContain(token);
});

test('behind https the cookie is Secure, and with a base path it is bound to it', async () => {
  const other = await startTestServer({ env: { SIGNALBOX_WEB_HOST: 'https://ops.example.org/box' } });
  await aUser(other, { username: 'eve', password: hash });
  const answer = await other.call('POST', '/auth/login', { body: { auth: 'eve', password: 'right' } });
  expect(cookieOf(answer)).toContain('; Path=/box; HttpOnly; Secure; SameSite=Lax');
  await other.stop();
});

test('wrong passwords, unknown and external users get the same answer', async () => {
  const user = await aUser(server, { password: hash });
  const external = await aUser(server, { password: hash });
  await server.database.transact((db) =>
    db.updateTable('user').set({ external: true }).where('id', '=', external.id).execute(),
  );
  const answers = [
    await login(user.actor.username, 'wrong'),
    await login('nobody', 'right'),
    await login(external.actor.username, 'right'),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(answers[0]?.text);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

test('after five failures an account must wait, with the right password too', async () => {
  const user = await aUser(server, { password: hash });
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await login(user.actor.username, 'wrong')).status).toBe(401);
  }
  const refused = await login(user.actor.username, 'right');
  expect(refused.status).toBe(429);
  expect(refused.error.code).toBe('too_many_attempts');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
});

test('failures with the user name and with the e-mail address count together', async () => {
  const user = await aUser(server, { password: hash });
  const { username } = user.actor;
  for (const name of [username, `${username}@example.org`, username.toUpperCase(), ` ${username}`, username]) {
    expect((await login(name, 'wrong')).status).toBe(401);
  }
  expect((await login(`${username}@EXAMPLE.org`, 'right')).status).toBe(429);
});

test('signing in does not use up attempts', async () => {
  const user = await aUser(server, { password: hash });
  for (let attempt = 0; attempt < 7; attempt++) expect((await login(user.actor.username, 'right')).status).toBe(204);
});

test('the address that counts is the one that a trusted proxy names, and no other', async () => {
  const proxied = await startTestServer({ env: { SIGNALBOX_TRUSTED_PROXIES: 'loopback' } });
  const attempt = (of: TestServer, address: string) =>
    of.call('POST', '/auth/login', { body: { auth: 'x', password: 'x' }, headers: { 'x-forwarded-for': address } });
  await failOften(proxied, '203.0.113.1');
  expect((await attempt(proxied, '203.0.113.1')).status).toBe(429);
  expect((await attempt(proxied, '203.0.113.2')).status).toBe(401);
  await proxied.stop();
  // Without a trusted proxy the header is only text.
  await failOften(server, '127.0.0.1');
  expect((await attempt(server, '203.0.113.99')).status).toBe(429);
});

/** As many failures as an address may have. */
async function failOften(of: TestServer, subject: string): Promise<void> {
  const rows = Array.from({ length: 20 }, () => ({ kind: 'address' as const, subject, created: Date.now() }));
  await of.database.transact((db) => db.insertInto('login_failure').values(rows).execute());
}

test('signing out ends the session on the server', async () => {
  const { session } = await aUser(server);
  const answer = await server.ask(authRoutes.logout, { session });
  expect(answer.status).toBe(204);
  expect(cookieOf(answer)).toMatch(/^signalbox=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/);
  expect((await currentUser(session)).status).toBe(401);
});

test('signing out without a session is no error', async () => {
  expect((await server.ask(authRoutes.logout, {})).status).toBe(204);
});

test('a session ends after seven days without a request, and any request prolongs it', async () => {
  const { session } = await aUser(server);
  const begin = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: begin + 6 * day });
  expect((await currentUser(session)).status).toBe(200);
  vi.setSystemTime(begin + 12 * day);
  expect((await currentUser(session)).status).toBe(200);
  vi.setSystemTime(begin + 19 * day + 1000);
  expect((await currentUser(session)).status).toBe(401);
});

test('a session ends after thirty days whatever it did', async () => {
  const { session } = await aUser(server);
  const begin = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const days of [6, 12, 18, 24, 29.9]) {
    vi.setSystemTime(begin + days * day);
    expect((await currentUser(session)).status).toBe(200);
  }
  vi.setSystemTime(begin + 30 * day + 1000);
  expect((await currentUser(session)).status).toBe(401);
});

test('the last activity is written at most once a minute', async () => {
  const { session } = await aUser(server);
  const read = () =>
    server.database.read
      .selectFrom('session')
      .select('last_active')
      .where('token_hash', '=', hashToken(session))
      .executeTakeFirstOrThrow();
  const before = await read();
  await currentUser(session);
  expect(await read()).toEqual(before);
  vi.useFakeTimers({ toFake: ['Date'], now: before.last_active + 61_000 });
  await currentUser(session);
  expect((await read()).last_active).toBe(before.last_active + 61_000);
});

test('a session without its second factor is told so', async () => {
  const { session } = await aUser(server);
  await server.database.transact((db) =>
    db.updateTable('session').set({ verified: false }).where('token_hash', '=', hashToken(session)).execute(),
  );
  const answer = await server.call('GET', '/user', { session });
  expect([answer.status, answer.error.error]).toEqual([401, 'TOTP_REQUIRED']);
});

test('an API token acts for its user until it runs out or is revoked, and a bad one turns the cookie off', async () => {
  const user = await aUser(server);
  const values = { user_id: user.id, name: '', created: 0, last_used: null };
  await server.database.transact((db) =>
    db
      .insertInto('api_token')
      .values([
        { ...values, id: 'good', token_hash: hashToken('good'), expires: null, revoked: false },
        { ...values, id: 'old', token_hash: hashToken('old'), expires: Date.now() - 1, revoked: false },
        { ...values, id: 'revoked', token_hash: hashToken('revoked'), expires: null, revoked: true },
      ])
      .execute(),
  );
  const ask = (authorization: string, session?: string) =>
    server.call('GET', '/user', { headers: { authorization }, session });
  expect((await ask('Bearer good')).status).toBe(200);
  expect((await ask('bearer GOOD')).status).toBe(200);
  for (const bad of ['Bearer old', 'Bearer revoked', 'Bearer nothing', 'Bearer', 'Bearer good good']) {
    expect((await ask(bad, user.session)).status).toBe(401);
  }
  expect((await ask('Basic abc', user.session)).status).toBe(200);
});

test('without password login the form is not offered and the call is refused', async () => {
  const other = await startTestServer({ env: { SIGNALBOX_PASSWORD_LOGIN_DISABLED: '1' } });
  expect((await other.ask(authRoutes.options, {})).body).toEqual({
    oidc_providers: [],
    login_with_password: false,
    auth_methods: { totp: { allow_recovery: true } },
  });
  expect((await other.call('POST', '/auth/login', { body: { auth: 'a', password: 'b' } })).status).toBe(403);
  await other.stop();
});

import { authRoutes } from '@signalbox/contract/auth';
import { userRoutes } from '@signalbox/contract/users';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestBrowser } from '../../test/browser.ts';
import { aUser } from '../../test/factories.ts';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from '../../test/identity-provider.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

const back = (id: string) => `http://localhost/api/auth/oidc/${id}/redirect`;
let company: IdentityProvider;
let partner: IdentityProvider;
let gone: string;
let server: TestServer;
let people = 0;

beforeAll(async () => {
  company = await startIdentityProvider({
    redirectUris: [back('company'), back('mixed'), 'https://ops.example.org/box/api/auth/oidc/company/redirect'],
  });
  partner = await startIdentityProvider({ redirectUris: [back('partner')], fullIdToken: true });
  const stopped = await startIdentityProvider({ redirectUris: [] });
  await stopped.stop();
  gone = stopped.issuer;
  server = await startTestServer({ env: { SIGNALBOX_OIDC_PROVIDERS: JSON.stringify(listProviders()) } });
});
afterAll(async () => {
  await server.stop();
  await company.stop();
  await partner.stop();
});
beforeEach(() => {
  server.logged.length = 0;
  company.requests.length = 0;
  company.account = aPerson();
  partner.account = aPerson();
});

function listProviders() {
  const client = { client_id: clientId, client_secret: clientSecret };
  const { issuer } = company;
  return {
    company: { ...client, provider_url: issuer, display_name: 'Company', color: 'blue', icon: 'key', order: 2 },
    partner: { ...client, provider_url: partner.issuer, display_name: 'Partner', name_claim: 'name', order: 1 },
    gone: { ...client, provider_url: gone, order: 3 },
    off: { ...client, provider_url: issuer, enabled: false },
    // One that signs with keys that are not those of its issuer.
    mixed: {
      ...client,
      order: 4,
      endpoint: {
        issuer,
        auth: `${issuer}/auth`,
        token: `${issuer}/token`,
        userinfo: `${issuer}/me`,
        jwks: `${partner.issuer}/jwks`,
      },
    },
  };
}

function aPerson(claims: Record<string, unknown> = {}) {
  people += 1;
  const name = `person${people}`;
  return { sub: name, preferred_username: name, email: `${name}@example.net`, email_verified: true, ...claims };
}

const findUsers = (username: string) =>
  server.database.read.selectFrom('user').selectAll().where('username', '=', username).execute();

/** The whole way; returns where it led and the browser that went it. */
async function signIn(provider: string, query = '', browser = new TestBrowser(server)) {
  const callback = await browser.follow(await begin(browser, provider, query));
  const answer = await browser.ask(`${callback.pathname}${callback.search}`);
  return { location: String(answer.headers.location), status: answer.status, browser, callback };
}

/** The first step: the address of the provider. */
async function begin(browser: TestBrowser, provider: string, query = ''): Promise<string> {
  const answer = await browser.ask(`/api/auth/oidc/${provider}/login${query}`);
  expect(answer.status).toBe(307);
  return String(answer.headers.location);
}

async function currentUser(browser: TestBrowser) {
  const session = browser.cookie('signalbox');
  expect(session).toBeDefined();
  return server.ask(userRoutes.current, { session: session ?? '' });
}

test('the sign-in screen is told the providers that are on, in their order', async () => {
  const { body } = await server.ask(authRoutes.options, {});
  expect(body.oidc_providers).toEqual([
    { id: 'partner', name: 'Partner', color: '', icon: '' },
    { id: 'company', name: 'Company', color: 'blue', icon: 'key' },
    { id: 'gone', name: 'gone', color: '', icon: '' },
    { id: 'mixed', name: 'mixed', color: '', icon: '' },
  ]);
});

test('a person of a provider becomes an external user without rights, and is signed in', async () => {
  const { location, status, browser } = await signIn('company');
  expect([status, location]).toEqual([307, '/']);
  const { body } = await currentUser(browser);
  const username = company.account?.sub ?? '';
  expect(body).toMatchObject({ username, email: `${username}@example.net`, external: true, admin: false });
  expect(await findUsers(username)).toMatchObject([{ password: null, external: true }]);
  const events = await server.database.read
    .selectFrom('event')
    .select(['description', 'address'])
    .where('user_id', '=', body.id)
    .execute();
  expect(events.map(({ description }) => description)).toEqual([
    `User ${username} created at the first sign-in with Company`,
    'Signed in with Company',
  ]);
});

test('the same person is the same user again, with the name and address of now', async () => {
  const first = await signIn('partner');
  const { body: before } = await currentUser(first.browser);
  partner.account = { ...aPerson(), sub: partner.account?.sub ?? '', name: 'New Name' };
  const second = await signIn('partner');
  const { body: after } = await currentUser(second.browser);
  expect(after.id).toBe(before.id);
  expect(after).toMatchObject({
    name: 'New Name',
    email: partner.account.email,
    username: partner.account.preferred_username,
  });
  const described = `User ${after.username} has another name, user name, e-mail address at Partner`;
  const event = await server.database.read
    .selectFrom('event')
    .select('user_id')
    .where('description', '=', described)
    .executeTakeFirst();
  expect(event).toEqual({ user_id: after.id });
});

test('one subject of two providers is two people', async () => {
  const sub = 'same-subject';
  company.account = { ...aPerson(), sub };
  partner.account = { ...aPerson(), sub };
  const [one, other] = [await signIn('company'), await signIn('partner')];
  expect((await currentUser(one.browser)).body.id).not.toBe((await currentUser(other.browser)).body.id);
});

test('an e-mail address that somebody has is refused, and makes nobody him', async () => {
  const local = await aUser(server);
  for (const email of [`${local.actor.username}@example.org`, `${local.actor.username.toUpperCase()}@EXAMPLE.org`]) {
    company.account = aPerson({ email });
    const { location, browser } = await signIn('company');
    expect(location).toBe('/auth/login?error=sso_email_taken');
    expect(browser.cookie('signalbox')).toBeUndefined();
    expect(await findUsers(company.account.sub)).toEqual([]);
  }
});

test('a user name that somebody has gets a number, and no user name is the address of another', async () => {
  const local = await aUser(server);
  const address = `${local.actor.username}@example.org`;
  for (const [wanted, given] of [
    [local.actor.username.toUpperCase(), `${local.actor.username}-2`],
    [local.actor.username, `${local.actor.username}-3`],
    [address, `${address}-2`],
  ]) {
    company.account = aPerson({ preferred_username: wanted });
    const { browser } = await signIn('company');
    expect((await currentUser(browser)).body.username).toBe(given);
  }
});

test('letters beyond ASCII have a small form too', async () => {
  await aUser(server, { username: 'ÄRGER' });
  company.account = aPerson({ preferred_username: 'A\u0308rger' });
  const { browser } = await signIn('company');
  expect((await currentUser(browser)).body.username).toBe('ärger-2');
});

test('a person without a user name or a name gets some', async () => {
  company.account = aPerson({ preferred_username: undefined });
  const { browser } = await signIn('company');
  const { body } = await currentUser(browser);
  expect(body.username).toMatch(/^[a-z0-9]{16}$/);
  expect(body.name).toBe('Anonymous');
});

test.each([
  [{ email: undefined }, 'sso_no_email'],
  [{ email: '' }, 'sso_no_email'],
  [{ email: 'no address' }, 'sso_no_email'],
  [{ email: ['a@example.org'] }, 'sso_no_email'],
  [{ email_verified: false }, 'sso_email_unverified'],
])('the claims %j are refused with %s', async (claims, reason) => {
  for (const [id, idp] of [
    ['company', company],
    ['partner', partner],
  ] as const) {
    idp.account = aPerson(claims);
    const { location } = await signIn(id);
    expect(location).toBe(`/auth/login?error=${reason}`);
    expect(await findUsers(idp.account.sub)).toEqual([]);
  }
});

test('claims are any text: what no screen should show is taken out of it', async () => {
  company.account = aPerson({ preferred_username: ` Odd\0\u202eName\n${'x'.repeat(400)}` });
  const { browser } = await signIn('company');
  const { body } = await currentUser(browser);
  expect(body.username).toMatch(/^oddnamex+$/);
  expect(body.username).toHaveLength(255);
});

test('who said no at the provider is told so, and the log knows more', async () => {
  company.account = null;
  const { location } = await signIn('company', '?return=/project/1/keys&t=5');
  expect(location).toBe('/auth/login?t=5&return=%2Fproject%2F1%2Fkeys&error=sso_denied');
  expect(server.logged.join()).toContain('The person said no');
});

test('a provider that does not answer leads back to the sign-in screen', async () => {
  const answer = await server.call('GET', '/auth/oidc/gone/login?t=5');
  expect([answer.status, answer.headers.location]).toEqual([307, '/auth/login?t=5&error=sso_unavailable']);
  expect(server.logged.join()).toContain('ECONNREFUSED');
});

test.each(['off', 'unknown', '1', 'company%2F..', '__proto__'])('there is no provider %s', async (id) => {
  for (const step of ['login', 'redirect?code=x&state=y']) {
    const answer = await server.call('GET', `/auth/oidc/${id}/${step}`);
    expect([answer.status, answer.error.code]).toEqual([404, 'not_found']);
  }
  expect(company.requests).toEqual([]);
});

test('a user with a second step has a session for that step only', async () => {
  const { browser } = await signIn('company');
  const { body } = await currentUser(browser);
  await server.database.transact((db) =>
    db
      .insertInto('totp')
      .values({ user_id: body.id, secret: 'sealed', recovery_hash: null, created: 0, last_step: null })
      .execute(),
  );
  const { browser: second, location } = await signIn('company');
  expect(location).toBe('/');
  const answer = await currentUser(second);
  expect([answer.status, answer.error.error]).toEqual([401, 'TOTP_REQUIRED']);
});

test('the session of before ends when another sign-in opens one', async () => {
  const { browser } = await signIn('company');
  const before = browser.cookie('signalbox') ?? '';
  await signIn('company', '', browser);
  expect((await currentUser(browser)).status).toBe(200);
  expect((await server.ask(userRoutes.current, { session: before })).status).toBe(401);
});

test('behind a public URL with a base path everything stays below it', async () => {
  const other = await startTestServer({
    env: {
      SIGNALBOX_WEB_HOST: 'https://ops.example.org/box',
      SIGNALBOX_OIDC_PROVIDERS: JSON.stringify({ company: listProviders().company }),
    },
  });
  const browser = new TestBrowser(other);
  const begun = await browser.ask('/box/api/auth/oidc/company/login?redirect=/project/1', { host: 'evil.example' });
  expect(begun.headers['set-cookie']).toMatch(/; Path=\/box\/api\/auth\/oidc; HttpOnly; Secure; SameSite=Lax$/);
  const callback = await browser.follow(String(begun.headers.location));
  expect(callback.href).toMatch(/^https:\/\/ops\.example\.org\/box\/api\/auth\/oidc\/company\/redirect\?/);
  const answer = await browser.ask(`${callback.pathname}${callback.search}`);
  expect(answer.headers.location).toBe('/box/project/1');
  const failed = await browser.ask(`${callback.pathname}${callback.search}`);
  expect(failed.headers.location).toBe('/box/auth/login?error=sso_expired');
  await other.stop();
});

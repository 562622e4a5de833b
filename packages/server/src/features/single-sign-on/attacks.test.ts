import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { useOnce } from '../../auth/pending-sign-in.ts';
import { TestBrowser } from '../../test/browser.ts';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from '../../test/identity-provider.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

const back = (id: string) => `http://localhost/api/auth/oidc/${id}/redirect`;
const account = { sub: 'eve', preferred_username: 'eve', email: 'eve@example.net' };
let idp: IdentityProvider;
let other: IdentityProvider;
let server: TestServer;

beforeAll(async () => {
  idp = await startIdentityProvider({ redirectUris: [back('company'), back('mixed'), back('twin')] });
  other = await startIdentityProvider({ redirectUris: [] });
  const client = { client_id: clientId, client_secret: clientSecret };
  const { issuer } = idp;
  const endpoint = { issuer, auth: `${issuer}/auth`, token: `${issuer}/token`, userinfo: `${issuer}/me` };
  const providers = {
    company: { ...client, provider_url: issuer },
    twin: { ...client, provider_url: issuer },
    // Its signatures are checked with the keys of another.
    mixed: { ...client, endpoint: { ...endpoint, jwks: `${other.issuer}/jwks` } },
  };
  server = await startTestServer({ env: { SIGNALBOX_OIDC_PROVIDERS: JSON.stringify(providers) } });
});
afterAll(async () => {
  await server.stop();
  await idp.stop();
  await other.stop();
});
beforeEach(() => {
  idp.account = account;
  idp.requests.length = 0;
});
afterEach(() => vi.useRealTimers());

async function begin(browser: TestBrowser, provider = 'company'): Promise<URL> {
  const answer = await browser.ask(`/api/auth/oidc/${provider}/login`);
  return new URL(String(answer.headers.location));
}

/** Whatever was tried, nobody is signed in, and the address holds nothing that the provider said. */
async function expectRefusal(browser: TestBrowser, callback: URL, reason: string): Promise<void> {
  const sessions = await countSessions();
  const answer = await browser.ask(`${callback.pathname}${callback.search}`);
  expect([answer.status, answer.headers.location]).toEqual([307, `/auth/login?error=${reason}`]);
  expect(String(answer.headers['set-cookie'])).not.toMatch(/signalbox=/);
  expect(await countSessions()).toBe(sessions);
}

async function countSessions(): Promise<number> {
  return (await server.database.read.selectFrom('session').select('id').execute()).length;
}

const tokenRequests = () => idp.requests.filter((request) => request === 'POST /token').length;

function change(url: URL, changes: Record<string, string | undefined>): URL {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
  }
  return changed;
}

test('the way to the provider carries state, nonce and an S256 challenge, each new', async () => {
  const browser = new TestBrowser(server);
  const [one, another] = [await begin(browser), await begin(browser)];
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(one.searchParams.get(name)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(one.searchParams.get(name)).not.toBe(another.searchParams.get(name));
  }
  expect(one.searchParams.get('code_challenge_method')).toBe('S256');
  expect(one.searchParams.get('response_type')).toBe('code');
});

test('the cookie of a sign-in is sealed, short-lived, for these routes and not for scripts', async () => {
  const answer = await server.call('GET', '/auth/oidc/company/login');
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/^signalbox_sso=[^;]+; Max-Age=600; Path=\/api\/auth\/oidc; HttpOnly; SameSite=Lax$/);
  const { searchParams } = new URL(String(answer.headers.location));
  expect(decodeURIComponent(cookie)).not.toContain(searchParams.get('state'));
  expect(cookie.length).toBeLessThan(4096);
});

describe('a sign-in ends at the sign-in screen', () => {
  test('with a state of another sign-in', async () => {
    const browser = new TestBrowser(server);
    const callback = await browser.follow((await begin(browser)).href);
    await begin(browser);
    await expectRefusal(browser, callback, 'sso_expired');
    expect(tokenRequests()).toBe(0);
  });

  test('with a state that is wrong, missing or there twice', async () => {
    for (const spoil of [
      (url: URL) => change(url, { state: 'x' }),
      (url: URL) => change(url, { state: undefined }),
      (url: URL) => new URL(`${url.href}&state=x`),
    ]) {
      const browser = new TestBrowser(server);
      const callback = await browser.follow((await begin(browser)).href);
      const refused = spoil(callback);
      const reason = refused.searchParams.getAll('state').length > 1 ? 'sso_failed' : 'sso_expired';
      await expectRefusal(browser, refused, reason);
    }
    expect(tokenRequests()).toBe(0);
  });

  test('in a browser that did not begin it', async () => {
    const browser = new TestBrowser(server);
    const callback = await browser.follow((await begin(browser)).href);
    await expectRefusal(new TestBrowser(server), callback, 'sso_expired');
    const victim = new TestBrowser(server);
    await begin(victim);
    await expectRefusal(victim, callback, 'sso_expired');
    expect(tokenRequests()).toBe(0);
  });

  test('with a cookie that was changed, or that another provider gave', async () => {
    for (const spoil of [(text: string) => `${text.slice(0, -8)}AAAAAAAA`, () => 'sb1:x:y', () => '%00', () => '{}']) {
      const browser = new TestBrowser(server);
      const callback = await browser.follow((await begin(browser)).href);
      browser.setCookie('signalbox_sso', spoil(browser.cookie('signalbox_sso') ?? ''));
      await expectRefusal(browser, callback, 'sso_expired');
    }
    const browser = new TestBrowser(server);
    const callback = await browser.follow((await begin(browser, 'twin')).href);
    await expectRefusal(browser, new URL(callback.href.replace('/twin/', '/company/')), 'sso_expired');
    expect(tokenRequests()).toBe(0);
  });

  test('after ten minutes', async () => {
    const browser = new TestBrowser(server);
    const callback = await browser.follow((await begin(browser)).href);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    await expectRefusal(browser, callback, 'sso_expired');
  });

  test('with an id token for another nonce', async () => {
    const browser = new TestBrowser(server);
    const url = change(await begin(browser), { nonce: 'a-nonce-of-somebody-else' });
    await expectRefusal(browser, await browser.follow(url.href), 'sso_failed');
    expect(tokenRequests()).toBe(1);
  });

  test('with a code that was issued without a challenge', async () => {
    const browser = new TestBrowser(server);
    const url = change(await begin(browser), { code_challenge: undefined, code_challenge_method: undefined });
    await expectRefusal(browser, await browser.follow(url.href), 'sso_failed');
  });

  test('with a code that was issued to somebody else', async () => {
    const [thief, victim] = [new TestBrowser(server), new TestBrowser(server)];
    const stolen = await thief.follow((await begin(thief)).href);
    const own = await victim.follow((await begin(victim)).href);
    const mixed = change(own, { code: stolen.searchParams.get('code') ?? '' });
    await expectRefusal(victim, mixed, 'sso_failed');
  });

  test('with an answer of another issuer', async () => {
    const browser = new TestBrowser(server);
    const callback = await browser.follow((await begin(browser)).href);
    expect(callback.searchParams.get('iss')).toBe(idp.issuer);
    await expectRefusal(browser, change(callback, { iss: other.issuer }), 'sso_failed');
  });

  test('with an id token whose signature the keys do not fit', async () => {
    const browser = new TestBrowser(server);
    const callback = await browser.follow((await begin(browser, 'mixed')).href);
    await expectRefusal(browser, callback, 'sso_failed');
    expect(tokenRequests()).toBe(1);
  });

  test('when the provider is asked for another redirect URI', async () => {
    const browser = new TestBrowser(server);
    const url = change(await begin(browser), { redirect_uri: 'https://evil.example/' });
    await expect(browser.follow(url.href)).rejects.toThrow(/redirect_uri/);
  });
});

test('a sign-in that was finished is not finished again, with the same cookie neither', async () => {
  const browser = new TestBrowser(server);
  const callback = await browser.follow((await begin(browser)).href);
  const cookie = browser.cookie('signalbox_sso') ?? '';
  const path = `${callback.pathname}${callback.search}`;
  expect((await browser.ask(path)).headers.location).toBe('/');
  expect(browser.cookie('signalbox_sso')).toBeUndefined();
  await expectRefusal(browser, callback, 'sso_expired');
  browser.setCookie('signalbox_sso', cookie);
  // The provider knows a used code as well.
  await expectRefusal(browser, callback, 'sso_failed');
});

test('a state counts once, whatever the provider takes', async () => {
  const { database } = server;
  const use = (state: string, now: number) => database.transact((db) => useOnce(db, state, now));
  await use('once', 1000);
  await expect(use('once', 2000)).rejects.toMatchObject({ details: { reason: 'sso_expired' } });
  await use('other', 700_000);
  const rows = await database.read.selectFrom('used_sign_in').select('created').execute();
  expect(rows.map(({ created }) => created)).not.toContain(1000);
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => use('race', 700_000)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('an error that anybody can write into the address is not shown, and needs a sign-in that was begun', async () => {
  const browser = new TestBrowser(server);
  const forged = new URL(`${back('company')}?error=access_denied&error_description=Call+0900&state=x`);
  await expectRefusal(browser, forged, 'sso_expired');
});

test('neither code nor token nor secret is logged', async () => {
  const browser = new TestBrowser(server);
  const url = change(await begin(browser), { code_challenge: undefined, code_challenge_method: undefined });
  const callback = await browser.follow(url.href);
  await browser.ask(`${callback.pathname}${callback.search}`);
  const log = server.logged.join('\n');
  expect(log).toContain('invalid_grant');
  for (const secret of [callback.searchParams.get('code'), callback.searchParams.get('state'), clientSecret]) {
    expect(log).not.toContain(secret);
  }
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\nb'])(
  'a sign-in that should lead to %j is refused at once',
  async (redirect) => {
    const query = new URLSearchParams({ redirect });
    const answer = await server.call('GET', `/auth/oidc/company/login?${query}`);
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
    expect(idp.requests).toEqual([]);
  },
);

test('a way back that only dots lead away from here ends at the start page', async () => {
  const browser = new TestBrowser(server);
  const answer = await browser.ask('/api/auth/oidc/company/login?redirect=/.//evil.example');
  const callback = await browser.follow(String(answer.headers.location));
  expect((await browser.ask(`${callback.pathname}${callback.search}`)).headers.location).toBe('/');
});

test('a Host header that is no host begins nothing', async () => {
  const answer = await server.call('GET', '/auth/oidc/company/login', { headers: { host: 'a b' } });
  expect(answer.status).toBe(400);
});

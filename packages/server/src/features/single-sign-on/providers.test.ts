import { userRoutes } from '@signalbox/contract/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBrowser } from '../../test/browser.ts';
import { aUser } from '../../test/factories.ts';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from '../../test/identity-provider.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

/** What the settings of a provider change about a sign-in. */

const back = (id: string) => `http://localhost/api/auth/oidc/${id}/redirect`;
const outside = 'https://proxy.example.org/way-back';
let idp: IdentityProvider;
let server: TestServer;

beforeAll(async () => {
  idp = await startIdentityProvider({ redirectUris: [back('found'), back('told'), outside] });
  const { issuer } = idp;
  const client = { client_id: clientId, client_secret: clientSecret, groups_claim: 'realm_access.roles' };
  const endpoint = {
    issuer,
    auth: `${issuer}/auth`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/me`,
    jwks: `${issuer}/jwks`,
    algorithms: ['RS256'],
  };
  const providers = {
    found: { ...client, provider_url: issuer },
    told: { ...client, endpoint, name_claim: '{{ .name }} ({{ .department }})' },
    proxied: { ...client, provider_url: issuer, redirect_url: outside },
  };
  const rules = [
    { provider: 'found', group: 'operators', admin: true },
    { provider: 'told', claim: 'department', value: 'ops', admin: true },
  ];
  server = await startTestServer({
    env: { SIGNALBOX_OIDC_PROVIDERS: JSON.stringify(providers), SIGNALBOX_SIGN_IN_RULES: JSON.stringify(rules) },
  });
  await aUser(server, { admin: true });
});
afterAll(async () => {
  await server.stop();
  await idp.stop();
});

async function signIn(provider: string, claims: Record<string, unknown>) {
  idp.account = { sub: 'ada', preferred_username: 'ada', email: 'ada@example.net', name: 'Ada', ...claims };
  const browser = new TestBrowser(server);
  const begun = await browser.ask(`/api/auth/oidc/${provider}/login`);
  const callback = await browser.follow(String(begun.headers.location));
  const path = `/api/auth/oidc/${provider}/redirect${callback.search}`;
  expect((await browser.ask(path)).headers.location).toBe('/');
  const { body } = await server.ask(userRoutes.current, { session: browser.cookie('signalbox') ?? '' });
  return { user: body, callback };
}

test('groups that only the userinfo endpoint tells count, for as long as it tells them', async () => {
  expect((await signIn('found', { realm_access: { roles: ['operators'] } })).user.admin).toBe(true);
  expect((await signIn('found', { realm_access: { roles: ['others'] } })).user.admin).toBe(false);
});

test('a provider without discovery is talked to where the settings say, and its rules are its own', async () => {
  const claims = { department: 'ops', realm_access: { roles: ['operators'] } };
  expect((await signIn('told', claims)).user).toMatchObject({ name: 'Ada (ops)', admin: true });
  expect((await signIn('told', { ...claims, department: 'web' })).user.admin).toBe(false);
});

test('one person of one issuer is one user, whichever of its clients he comes through', async () => {
  const [one, other] = [await signIn('found', {}), await signIn('told', {})];
  expect(one.user.id).toBe(other.user.id);
});

test('behind a proxy the provider is told the redirect URI of the settings, in both steps', async () => {
  const { callback } = await signIn('proxied', {});
  expect(`${callback.origin}${callback.pathname}`).toBe(outside);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { StartRefusal } from './db/start-refusal.ts';

const secret = 'a-secret-that-nobody-may-see';
const kc = { provider_url: 'https://id.example.org/realms/main', client_id: 'signalbox', client_secret: secret };
const ldap = { ENABLE: '1', SERVER: 'ldap.example.org', SEARCH_DN: 'dc=example' };
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'signalbox-config-'));
});
afterAll(() => rm(directory, { recursive: true }));

const withProviders = (providers: unknown) =>
  loadConfig({ SIGNALBOX_OIDC_PROVIDERS: JSON.stringify(providers) }).signIn.providers;
const withLdap = (change: Record<string, string>) => {
  const names = Object.entries({ ...ldap, ...change }).map(([name, value]) => [`SIGNALBOX_LDAP_${name}`, value]);
  return loadConfig(Object.fromEntries(names)).signIn.directory;
};
const withRules = (rules: unknown, env: Record<string, string> = {}) =>
  loadConfig({ ...env, SIGNALBOX_SIGN_IN_RULES: JSON.stringify(rules) }).signIn.rules;

/** The one sentence that a start is refused with. */
function refusal(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  }
  throw new Error('Nothing was refused');
}

test('without settings nobody comes from outside', () => {
  expect(loadConfig({}).signIn).toEqual({ providers: [], directory: undefined, rules: [] });
});

test('a provider needs an address, a name of ours, and nothing else', () => {
  expect(withProviders({ kc })).toEqual([
    {
      id: 'kc',
      name: 'kc',
      color: '',
      icon: '',
      clientId: 'signalbox',
      clientSecret: secret,
      redirectUrl: undefined,
      scopes: ['openid', 'profile', 'email'],
      source: { discover: kc.provider_url },
      usernameClaim: 'preferred_username',
      nameClaim: 'preferred_username',
      emailClaim: 'email',
      groupsClaim: 'groups',
    },
  ]);
});

test('secrets may stand in files, and the whole in the configuration file', async () => {
  const [idFile, secretFile] = [path.join(directory, 'id'), path.join(directory, 'secret')];
  await writeFile(idFile, 'from-file\n');
  await writeFile(secretFile, `${secret}\n`);
  const file = path.join(directory, 'signalbox.yaml');
  const yaml = [
    'oidc_providers:',
    '  kc:',
    '    provider_url: https://id.example.org',
    `    client_id_file: ${idFile}`,
    `    client_secret_file: ${secretFile}`,
    '    scopes: [groups]',
    'sign_in_rules:',
    '  - { group: ops, project: 3, role: owner }',
  ];
  await writeFile(file, yaml.join('\n'));
  const { providers, rules } = loadConfig({ SIGNALBOX_CONFIG: file }).signIn;
  expect(providers).toMatchObject([{ clientId: 'from-file', clientSecret: secret, scopes: ['openid', 'groups'] }]);
  expect(rules).toEqual([
    { provider: undefined, condition: { group: 'ops' }, admin: false, member: { project: 3, role: 'owner' } },
  ]);
});

describe('providers that cannot be used are refused by name, without their secrets', () => {
  test.each([
    ['text', 'must be a JSON object'],
    [{ 'a b': kc }, '"a b"'],
    [{ ldap: kc }, '"ldap"'],
    [{ kc: { ...kc, client_id: undefined } }, '"client_id" in "kc"'],
    [{ kc: { ...kc, client_id_file: '/x' } }, 'both "kc.client_id"'],
    [{ kc: { ...kc, client_secret: undefined, client_secret_file: '/nowhere/x' } }, '/nowhere/x'],
    [{ kc: { ...kc, provider_url: undefined } }, '"provider_url" or "endpoint"'],
    [{ kc: { ...kc, endpoint: { issuer: 'x', auth: kc.provider_url, token: kc.provider_url } } }, 'either'],
    [{ kc: { ...kc, provider_url: 'http://id.example.org' } }, '"kc.provider_url", which must be an https URL'],
    [{ kc: { ...kc, provider_url: 'javascript:alert(1)' } }, 'https URL'],
    [{ kc: { ...kc, clientid: 'x' } }, '"kc.clientid", which is no setting'],
    [{ kc: { ...kc, order: 'first' } }, '"kc.order"'],
    [{ kc: { ...kc, email_claim: '{{ if }}' } }, '"kc.email_claim"'],
    [{ kc: { ...kc, redirect_url: 'ftp://x' } }, '"kc.redirect_url"'],
  ])('%j', (providers, part) => {
    const sentence = refusal(() => withProviders(providers));
    expect(sentence).toMatch(/^SIGNALBOX_OIDC_PROVIDERS [^\n]+\.$/);
    expect(sentence).toContain(part);
    expect(sentence).not.toContain(secret);
  });
});

test('a directory is asked with TLS unless somebody says otherwise', () => {
  expect(withLdap({})).toMatchObject({ host: 'ldap.example.org', port: 636, security: 'tls', bind: undefined });
  expect(withLdap({ STARTTLS: '1' })).toMatchObject({ port: 389, security: 'starttls' });
  expect(withLdap({ NEEDTLS: '0', SERVER: '[::1]:3890' })).toMatchObject({ host: '::1', port: 3890, security: 'none' });
  expect(withLdap({ ENABLE: '0', SERVER: '' })).toBeUndefined();
});

describe('a directory that cannot be asked is refused by the name of the variable', () => {
  test.each([
    ['SERVER', ''],
    ['SERVER', 'ldaps://ldap.example.org'],
    ['SERVER', 'host:99999'],
    ['SEARCH_DN', ''],
    ['SEARCH_FILTER', '(uid=x)'],
    ['SEARCH_FILTER', '(|(uid=%s)(mail=%s))'],
    ['SEARCH_FILTER', '(uid=%s'],
    ['SEARCH_FILTER', 'uid=%s'],
    ['GROUP_SEARCH_FILTER', '(member=x)'],
    ['MAPPING_MAIL', '{{ if }}'],
    ['CA_FILE', '/nowhere/ca.pem'],
  ])('%s=%s', (name, value) => {
    expect(refusal(() => withLdap({ [name]: value }))).toMatch(new RegExp(`^SIGNALBOX_LDAP_${name} .+\\.$`));
  });

  test('a search account without a password', () => {
    expect(refusal(() => withLdap({ BIND_DN: 'cn=x' }))).toMatch(/^SIGNALBOX_LDAP_BIND_PASSWORD /);
  });
});

describe('rules that cannot be followed are refused', () => {
  test.each([
    [{}],
    [[{}]],
    [[{ group: 'ops' }]],
    [[{ admin: true }]],
    [[{ group: 'ops', claim: 'x', value: 'y', admin: true }]],
    [[{ claim: 'x', admin: true }]],
    [[{ group: 'ops', admin: false }]],
    [[{ group: 'ops', project: 3 }]],
    [[{ group: 'ops', role: 'owner' }]],
    [[{ group: 'ops', project: 3, role: 'boss' }]],
    [[{ group: 'ops', project: -1, role: 'owner' }]],
    [[{ groups: 'ops', admin: true }]],
  ])('%j', (rules) => {
    expect(refusal(() => withRules(rules))).toMatch(/^SIGNALBOX_SIGN_IN_RULES [^\n]+\.$/);
  });
});

test('with more than one way in, each rule says for whom it is', () => {
  const env = { SIGNALBOX_OIDC_PROVIDERS: JSON.stringify({ a: kc, b: kc }) };
  expect(refusal(() => withRules([{ group: 'ops', admin: true }], env))).toContain('in rule 1: there are a, b');
  expect(withRules([{ provider: 'a', group: 'ops', admin: true }], env)).toHaveLength(1);
});

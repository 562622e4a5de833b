import { expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { isSameDn, readDnName } from './ldap-names.ts';
import { chooseGrants } from './role-rules.ts';

const rules = loadConfig({
  SIGNALBOX_SIGN_IN_RULES: JSON.stringify([
    { provider: 'a', group: 'admins', admin: true },
    { provider: 'a', group: 'ops', project: 3, role: 'guest' },
    { provider: 'a', claim: 'realm_access.roles', value: 'lead', project: 3, role: 'owner' },
    { claim: 'department', value: 'web', project: 'Website', role: 'manager' },
    { provider: 'ldap', group: 'CN=Ops, OU=Groups', project: 4, role: 'task_runner' },
  ]),
}).signIn.rules;

const choose = (provider: string, claims: Record<string, unknown>, groups: string[] = [], isSameGroup = Object.is) => {
  const { admin, roles } = chooseGrants(rules, { provider, claims, groups, isSameGroup });
  return { admin, roles: Object.fromEntries(roles) };
};

test('a rule gives to whoever has its group or the value in its claim', () => {
  expect(choose('a', {}, ['admins'])).toEqual({ admin: true, roles: {} });
  expect(choose('a', { department: 'web' })).toEqual({ admin: false, roles: { Website: 'manager' } });
  expect(choose('a', { department: ['it', 'web'] })).toEqual({ admin: false, roles: { Website: 'manager' } });
  expect(choose('a', { department: 'website' }, ['admin', 'Admins', 'admins '])).toEqual({ admin: false, roles: {} });
});

test('a rule for one provider gives nothing to people of another', () => {
  expect(choose('b', {}, ['admins', 'ops'])).toEqual({ admin: false, roles: {} });
  expect(choose('b', { department: 'web' })).toEqual({ admin: false, roles: { Website: 'manager' } });
});

test('of several roles in one project the highest holds', () => {
  expect(choose('a', { realm_access: { roles: ['lead'] } }, ['ops']).roles).toEqual({ 3: 'owner' });
});

test('groups of a directory are the same in any spelling of their DN', () => {
  expect(choose('ldap', {}, ['cn=ops,ou=groups'], isSameDn).roles).toEqual({ 4: 'task_runner' });
  expect(choose('ldap', {}, ['cn=ops,ou=other'], isSameDn).roles).toEqual({});
  expect(choose('ldap', {}, ['ops'], isSameDn).roles).toEqual({});
});

test.each([
  ['cn=ops,ou=groups,dc=example', ['ops']],
  ['CN = Ops People , ou=groups', ['Ops People']],
  ['cn=a\\,b,ou=groups', []],
  ['cn=a+uid=b,ou=groups', []],
  ['', []],
])('the own name of %j is %j', (dn, expected) => {
  expect(readDnName(dn)).toEqual(expected);
});

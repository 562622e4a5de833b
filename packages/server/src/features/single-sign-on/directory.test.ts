import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { authRoutes } from '@signalbox/contract/auth';
import { userRoutes } from '@signalbox/contract/users';
import type { Client } from 'ldapts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../auth/passwords.ts';
import { type DirectoryServer, findFreePort, hasSlapd, startDirectory, suffix } from '../../test/directory-server.ts';
import { aProject, aUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

const people = `ou=people,${suffix}`;
const groups = `ou=groups,${suffix}`;
const service = `cn=service,ou=services,${suffix}`;
let directory: DirectoryServer;
let server: TestServer;
const others: TestServer[] = [];
let persons = 0;

const settings = (change: Record<string, string> = {}): Record<string, string> => ({
  SIGNALBOX_LDAP_ENABLE: '1',
  SIGNALBOX_LDAP_SERVER: `127.0.0.1:${directory.tlsPort}`,
  SIGNALBOX_LDAP_CA_FILE: directory.caFile,
  SIGNALBOX_LDAP_BIND_DN: service,
  SIGNALBOX_LDAP_BIND_PASSWORD: 'service-password',
  SIGNALBOX_LDAP_SEARCH_DN: people,
  SIGNALBOX_LDAP_SEARCH_FILTER: '(&(objectClass=inetOrgPerson)(|(uid=%s)))',
  ...change,
});

async function start(change: Record<string, string>): Promise<TestServer> {
  const other = await startTestServer({ env: settings(change) });
  others.push(other);
  return other;
}

const login = (of: TestServer, auth: string, password: string) =>
  of.call('POST', '/auth/login', { body: { auth, password } });

async function currentUser(of: TestServer, answer: Awaited<ReturnType<typeof login>>) {
  const [, session = ''] = /^signalbox=([^;]+)/.exec(String(answer.headers['set-cookie'])) ?? [];
  return (await of.ask(userRoutes.current, { session })).body;
}

/** An entry with the password `right`. */
async function aPerson(change: Record<string, string | string[]> = {}): Promise<string> {
  persons += 1;
  const uid = `Person${persons}`;
  await directory.change((client) => client.add(`uid=${uid},${people}`, describePerson(uid, change)));
  return uid;
}

const describePerson = (uid: string, change: Record<string, string | string[]> = {}) => ({
  objectClass: 'inetOrgPerson',
  uid,
  cn: `Name of ${uid}`,
  sn: uid,
  mail: `${uid}@example.net`,
  userPassword: 'right',
  ...change,
});

describe.skipIf(!hasSlapd)('a directory (needs slapd)', () => {
  beforeAll(async () => {
    directory = await startDirectory();
    await directory.change((client) => addService(client));
    server = await startTestServer({ env: settings() });
  });
  afterAll(async () => {
    await server?.stop();
    await directory?.stop();
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.stop();
    await server.database.transact((db) => db.deleteFrom('login_failure').execute());
    server.logged.length = 0;
  });

  test('a person of the directory signs in with the password there and becomes an external user', async () => {
    const uid = await aPerson();
    const answer = await login(server, uid, 'right');
    expect(answer.status).toBe(204);
    const user = await currentUser(server, answer);
    const name = uid.toLowerCase();
    expect(user).toMatchObject({ username: name, name: `Name of ${uid}`, external: true, admin: false });
    const row = await server.database.read
      .selectFrom('user_identity')
      .selectAll()
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ issuer: 'ldap', subject: `uid=${name},${people}` });
  });

  test('every sign-in takes over what has changed in the directory', async () => {
    const uid = await aPerson();
    const before = await currentUser(server, await login(server, uid, 'right'));
    await directory.change(async (client) => {
      await client.del(`uid=${uid},${people}`);
      await client.add(`uid=${uid},${people}`, describePerson(uid, { cn: 'New Name', mail: 'new@example.net' }));
    });
    const after = await currentUser(server, await login(server, uid.toUpperCase(), 'right'));
    expect(after).toMatchObject({ id: before.id, name: 'New Name', email: 'new@example.net' });
  });

  test('a wrong password is refused as everywhere', async () => {
    const uid = await aPerson();
    const answer = await login(server, uid, 'wrong');
    expect([answer.status, answer.error.code]).toEqual([401, 'wrong_credentials']);
    expect(answer.text).toBe((await login(server, 'nobody', 'wrong')).text);
    expect(server.logged).toEqual([]);
  });

  test('wrong passwords of the directory count', async () => {
    const uid = await aPerson();
    for (let attempt = 0; attempt < 5; attempt++) expect((await login(server, uid, 'wrong')).status).toBe(401);
    expect((await login(server, uid, 'right')).status).toBe(429);
  });

  test('wrong passwords of one entry count in every spelling of its login', async () => {
    const uid = await aPerson();
    await directory.change((client) => client.add(`cn=spaced,${people}`, describePerson(`${uid} b`, { cn: 'spaced' })));
    const spell = (spaces: number) => `${uid}${' '.repeat(spaces)}b`;
    for (const spaces of [1, 2, 3, 4, 5]) expect((await login(server, spell(spaces), 'wrong')).status).toBe(401);
    for (const spaces of [6, 1]) expect((await login(server, spell(spaces), 'right')).status).toBe(429);
    expect(server.logged).toEqual([]);
  });

  test('a password that a directory could take for none signs nobody in', async () => {
    const uid = await aPerson();
    expect((await login(server, uid, '')).status).toBe(400);
    expect((await login(server, uid, '\0')).status).toBe(401);
    expect((await login(server, uid, '\0right')).status).toBe(401);
  });

  test.each(['*', '*)(uid=*', 'Person1)(objectClass=*', 'x)(|(uid=*', '(', ')', '\\2a', '\\', 'Person1\0'])(
    'the login %j is a text, and finds nobody',
    async (auth) => {
      await aPerson({ userPassword: 'right' });
      const answer = await login(server, auth, 'right');
      expect([answer.status, [401, 400].includes(answer.status)]).toEqual([answer.status, true]);
      expect(server.logged).toEqual([]);
    },
  );

  test('a login with characters of filters finds its own entry', async () => {
    const uid = 'odd*(name)\\';
    await directory.change((client) => client.add(`cn=odd,${people}`, describePerson(uid, { cn: 'odd' })));
    expect((await login(server, uid, 'right')).status).toBe(204);
  });

  test('a login that more than one entry has is refused, and the log says so', async () => {
    await directory.change(async (client) => {
      await client.add(`cn=one,${people}`, describePerson('twice', { cn: 'one' }));
      await client.add(`cn=two,${people}`, describePerson('twice', { cn: 'two' }));
    });
    expect((await login(server, 'twice', 'right')).status).toBe(401);
    expect(server.logged.join()).toContain('more than one entry');
  });

  test('an entry without an e-mail address is refused', async () => {
    const { mail: _, ...entry } = describePerson('unreachable');
    await directory.change((client) => client.add(`uid=unreachable,${people}`, entry));
    const answer = await login(server, 'unreachable', 'right');
    expect([answer.status, answer.error.details]).toEqual([401, { reason: 'sso_no_email' }]);
  });

  test('a local user signs in with a local password, and is nobody of the directory', async () => {
    const local = await aUser(server, { password: await hashPassword('local') });
    expect((await login(server, local.actor.username, 'local')).status).toBe(204);
    const name = local.actor.username;
    await directory.change((client) => client.add(`cn=${name},${people}`, describePerson(name, { cn: name })));
    for (const password of ['right', 'local']) expect((await login(server, name, password)).status).toBe(401);
    expect(server.logged.join()).toContain('has the login of a local user');
  });

  test('without the directory local users sign in, wrong passwords are wrong, and others are told to wait', async () => {
    const down = await start({ SIGNALBOX_LDAP_SERVER: `127.0.0.1:${await findFreePort()}` });
    const local = await aUser(down, { password: await hashPassword('local') });
    expect((await login(down, local.actor.username, 'local')).status).toBe(204);
    expect((await login(down, local.actor.username, 'wrong')).status).toBe(401);
    for (let attempt = 0; attempt < 6; attempt++) {
      const answer = await login(down, 'somebody', 'right');
      expect([answer.status, answer.error.code]).toEqual([503, 'unavailable']);
    }
    expect(down.logged.join()).toContain('ECONNREFUSED');
    // Such a password is not even taken there.
    expect((await login(down, 'somebody', '\0right')).status).toBe(401);
  });

  test('a directory that takes the call and says nothing is given up', async () => {
    // It reads, and so notices that the caller hangs up.
    const mute = createServer((socket) => socket.resume().on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const down = await start({ SIGNALBOX_LDAP_SERVER: `127.0.0.1:${(mute.address() as AddressInfo).port}` });
    expect((await login(down, 'somebody', 'right')).status).toBe(503);
    mute.close();
    await once(mute, 'close');
  });

  test('an external user has no local password, while the directory is down neither', async () => {
    const down = await start({ SIGNALBOX_LDAP_SERVER: `127.0.0.1:${await findFreePort()}` });
    const external = await aUser(down, { password: await hashPassword('local') });
    await down.database.transact((db) =>
      db.updateTable('user').set({ external: true }).where('id', '=', external.id).execute(),
    );
    expect((await login(down, external.actor.username, 'local')).status).toBe(503);
  });

  test.each([
    ['an authority that did not sign it', '127.0.0.1', () => directory.strangeCaFile],
    ['no authority of the system', '127.0.0.1', () => ''],
    ['another name', 'localhost', () => directory.caFile],
  ])('a certificate from %s is refused, with TLS and StartTLS', async (_why, host, caFile) => {
    const uid = await aPerson();
    const tls = { SIGNALBOX_LDAP_SERVER: `${host}:${directory.tlsPort}` };
    const startTls = { SIGNALBOX_LDAP_SERVER: `${host}:${directory.port}`, SIGNALBOX_LDAP_STARTTLS: '1' };
    for (const change of [tls, startTls]) {
      const strict = await start({ ...change, SIGNALBOX_LDAP_CA_FILE: caFile() });
      expect((await login(strict, uid, 'right')).status).toBe(503);
      expect(strict.logged.join()).toMatch(/certificate|altnames/i);
    }
  });

  test('StartTLS, and a plain connection where it is asked for, work as well', async () => {
    const uid = await aPerson();
    const SIGNALBOX_LDAP_SERVER = `127.0.0.1:${directory.port}`;
    for (const change of [{ SIGNALBOX_LDAP_STARTTLS: '1' }, { SIGNALBOX_LDAP_NEEDTLS: '0' }]) {
      const other = await start({ SIGNALBOX_LDAP_SERVER, ...change });
      expect((await login(other, uid, 'right')).status).toBe(204);
    }
  });

  test('a search account with a wrong password is the operator’s mistake, not the person’s', async () => {
    const uid = await aPerson();
    const wrong = await start({ SIGNALBOX_LDAP_BIND_PASSWORD: 'wrong' });
    expect((await login(wrong, uid, 'right')).status).toBe(503);
    expect(wrong.logged.join()).not.toContain('"wrong"');
  });

  test('groups of the entry, and groups that are searched, give what the rules say', async () => {
    const uid = await aPerson({ departmentNumber: ['7', '8'] });
    const dn = `uid=${uid},${people}`;
    const rules = (project: number) =>
      JSON.stringify([
        { group: `CN=ops, ${groups}`, project, role: 'manager' },
        { group: 'admins', admin: true },
        { claim: 'departmentNumber', value: '8', project, role: 'guest' },
      ]);
    await directory.change((client) =>
      client.add(`cn=ops,${groups}`, { objectClass: 'groupOfNames', cn: 'ops', member: dn }),
    );
    await directory.change((client) =>
      client.add(`cn=admins,${groups}`, { objectClass: 'groupOfNames', cn: 'admins', member: dn }),
    );
    const project = await aProject(server);
    const database = { database: server.database, dataDir: server.config.dataDir, remove: async () => undefined };
    const ask = async (change: Record<string, string>) => {
      const settingsOf = settings({ SIGNALBOX_SIGN_IN_RULES: rules(project.id), ...change });
      const other = await startTestServer({ env: settingsOf, database: database as never });
      const answer = await login(other, uid, 'right');
      const user = await currentUser(other, answer);
      await other.engine.stop();
      await other.http.fastify.close();
      const member = await server.database.read
        .selectFrom('project_user')
        .select('role')
        .where('project_id', '=', project.id)
        .where('user_id', '=', user.id)
        .executeTakeFirst();
      return [user.admin, member?.role];
    };
    // The plain name of a group counts only where the operator said where groups are.
    expect(await ask({})).toEqual([false, 'manager']);
    await aUser(server, { admin: true });
    expect(await ask({ SIGNALBOX_LDAP_GROUP_SEARCH_DN: groups })).toEqual([true, 'manager']);
    await directory.change((client) => client.del(`cn=admins,${groups}`));
    await directory.change((client) => client.del(`cn=ops,${groups}`));
    expect(await ask({ SIGNALBOX_LDAP_GROUP_SEARCH_DN: groups })).toEqual([false, 'guest']);
  });

  test('an attribute that stays tells who it is after a renaming', async () => {
    const uid = await aPerson();
    const stable = await start({ SIGNALBOX_LDAP_MAPPING_DN: 'entryUUID' });
    const before = await currentUser(stable, await login(stable, uid, 'right'));
    await directory.change((client) => client.modifyDN(`uid=${uid},${people}`, `uid=renamed-${uid}`));
    const after = await currentUser(stable, await login(stable, `renamed-${uid}`, 'right'));
    expect(after).toMatchObject({ id: before.id, username: `renamed-${uid}`.toLowerCase() });
  });

  test('where passwords are switched off, those of the directory are too', async () => {
    const uid = await aPerson();
    const off = await start({ SIGNALBOX_PASSWORD_LOGIN_DISABLED: '1' });
    expect((await login(off, uid, 'right')).status).toBe(403);
    expect((await off.ask(authRoutes.options, {})).body.login_with_password).toBe(false);
  });
});

async function addService(client: Client): Promise<void> {
  await client.add(service, {
    objectClass: ['organizationalRole', 'simpleSecurityObject'],
    cn: 'service',
    userPassword: 'service-password',
  });
}

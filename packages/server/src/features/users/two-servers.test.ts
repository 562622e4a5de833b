import { authRoutes } from '@signalbox/contract/auth';
import { totpRoutes } from '@signalbox/contract/totp';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginSession } from '../../auth/begin-session.ts';
import { hashPassword } from '../../auth/passwords.ts';
import { openDatabase } from '../../db/open-database.ts';
import { placeOf } from '../../db/sealed-columns.ts';
import { openTestDatabase } from '../../test/databases.ts';
import { aUser, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

/** Two servers on one PostgreSQL: what is asked of both at once holds as if there were one. */

let one: TestServer;
let two: TestServer;
let hash: string;
beforeAll(async () => {
  const opened = await openTestDatabase('postgres');
  const second = await openDatabase(opened.settings);
  one = await startTestServer({ database: opened });
  two = await startTestServer({ database: { ...opened, database: second, remove: () => second.close() } });
  hash = await hashPassword('right');
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});
beforeEach(() => one.database.transact((db) => db.deleteFrom('login_failure').execute()));

const count = (statuses: number[], status: number): number => statuses.filter((each) => each === status).length;

/** Asks both servers by turns, all at the same time. */
async function race(times: number, ask: (server: TestServer, turn: number) => Promise<{ status: number }>) {
  const turns = Array.from({ length: times }, (_, turn) => ask(turn % 2 === 0 ? one : two, turn));
  return (await Promise.all(turns)).map(({ status }) => status);
}

test('of forty wrong passwords at once five are looked at', async () => {
  const user = await aUser(one, { password: hash });
  const statuses = await race(40, (server) =>
    server.call('POST', '/auth/login', { body: { auth: user.actor.username, password: 'wrong' } }),
  );
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([5, 35]);
});

test('of forty logins at once twenty are looked at for one address', async () => {
  const statuses = await race(40, (server, turn) =>
    server.call('POST', '/auth/login', { body: { auth: `nobody-${turn}`, password: 'wrong' } }),
  );
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([20, 20]);
});

test('a code of the second step is accepted once', async () => {
  const user = await aUser(one, { password: hash });
  const { body } = await one.ask(totpRoutes.enrol, { params: { user_id: user.id }, session: user.session });
  const row = await one.database.read
    .selectFrom('totp')
    .select('secret')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow();
  const secret = one.database.keyring.open(row.secret, placeOf('totp', body.id));
  for (let round = 0; round < 3; round++) {
    await one.database.transact((db) => db.deleteFrom('login_failure').execute());
    await one.database.transact((db) => db.updateTable('totp').set({ last_step: null }).execute());
    const passcode = generateSync({ secret });
    const statuses = await race(5, (server) =>
      server.ask(authRoutes.verify, { body: { passcode }, session: user.session }),
    );
    expect([count(statuses, 204), count(statuses, 401)]).toEqual([1, 4]);
  }
});

test('two sign-ins that enrol at once make one second step', async () => {
  const user = await aUser(one);
  const statuses = await race(6, (server) =>
    server.ask(totpRoutes.enrol, { params: { user_id: user.id }, session: user.session }),
  );
  expect([count(statuses, 201), statuses.length - count(statuses, 201)]).toEqual([1, 5]);
});

test('a session that begins while a second step is set up is asked for it', async () => {
  const caller = { address: '', userAgent: '' };
  for (let round = 0; round < 30; round++) {
    const user = await aUser(one);
    // The last step of every way to sign in, without the password, which takes its time.
    const begin = ({ database }: TestServer) =>
      database.transact((db) => beginSession(db, user.id, caller, 'Signed in').then(() => ({ status: 204 })));
    const statuses = await race(6, (server, turn) =>
      turn === 3
        ? server.ask(totpRoutes.enrol, { params: { user_id: user.id }, session: user.session })
        : begin(server),
    );
    expect([count(statuses, 201), count(statuses, 204)]).toEqual([1, 5]);
    const sessions = await one.database.read
      .selectFrom('session')
      .select('verified')
      .where('user_id', '=', user.id)
      .execute();
    expect(sessions.filter(({ verified }) => verified)).toHaveLength(1);
  }
});

/** The only administrators that there are. */
async function onlyAdmins(): Promise<[TestUser, TestUser]> {
  await one.database.transact((db) => db.updateTable('user').set({ admin: false }).execute());
  return [await aUser(one, { admin: true }), await aUser(one, { admin: true })];
}

test.each(['delete', 'demote'])('of two administrators who %s each other at once one stays', async (verb) => {
  for (let round = 0; round < 5; round++) {
    const pair = await onlyAdmins();
    const statuses = await race(2, (server, turn) => {
      const { session } = pair[turn === 0 ? 0 : 1];
      const path = `/users/${pair[turn === 0 ? 1 : 0].id}`;
      return verb === 'delete'
        ? server.call('DELETE', path, { session })
        : server.call('PUT', path, { session, body: { admin: false } });
    });
    const left = await one.database.read.selectFrom('user').select('id').where('admin', '=', true).execute();
    expect(left).toHaveLength(1);
    expect(count(statuses, 204)).toBe(1);
  }
});

/** A project with two owners, and an administrator who is in nobody's way. */
async function aSharedProject() {
  const admin = await aUser(one, { admin: true });
  const { id: projectId } = await one.database.transact((db) =>
    db
      .insertInto('project')
      .values({ name: 'shared', created: 1, alert: false, alert_chat: null, max_parallel_tasks: 0, type: '' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const owners = [
    await aUser(one, { role: 'owner', projectId }),
    await aUser(one, { role: 'owner', projectId }),
  ] as const;
  return { admin, projectId, owners };
}

test('of two owners who are deleted at once one stays', async () => {
  for (let round = 0; round < 5; round++) {
    const { admin, owners } = await aSharedProject();
    const statuses = await race(2, (server, turn) =>
      server.call('DELETE', `/users/${owners[turn === 0 ? 0 : 1].id}`, { session: admin.session }),
    );
    expect(statuses.toSorted()).toEqual([204, 409]);
  }
});

test('of two owners one stays when one is deleted while the other leaves the role', async () => {
  for (let round = 0; round < 10; round++) {
    const { admin, projectId, owners } = await aSharedProject();
    const { session } = admin;
    const statuses = await race(2, (server, turn) =>
      turn === 0
        ? server.call('DELETE', `/users/${owners[0].id}`, { session })
        : server.call('PUT', `/project/${projectId}/users/${owners[1].id}`, { session, body: { role: 'guest' } }),
    );
    expect(statuses.toSorted()).toEqual([204, 409]);
  }
});

test('a login that is asked for at once belongs to one user', async () => {
  const admin = await aUser(one, { admin: true });
  const statuses = await race(6, (server, turn) => {
    // As a login and as an address, which no index compares.
    const person =
      turn < 3
        ? { username: 'same@example.org', email: `e${turn}@example.org` }
        : { username: `u${turn}`, email: 'Same@example.org' };
    return server.call('POST', '/users', { session: admin.session, body: { name: 'x', password: 'x', ...person } });
  });
  expect([count(statuses, 201), count(statuses, 409)]).toEqual([1, 5]);
});

test('a session that one server ends is refused by the other at once', async () => {
  const user = await aUser(one);
  expect((await two.call('GET', '/user', { session: user.session })).status).toBe(200);
  expect((await one.call('POST', '/auth/logout', { session: user.session })).status).toBe(204);
  expect((await two.call('GET', '/user', { session: user.session })).status).toBe(401);
});

import { userRoutes } from '@signalbox/contract/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../auth/tokens.ts';
import { aProject, aUser, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { checkPassword } from './users.ts';

let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true, username: 'chief' });
});
afterAll(() => server.stop());

let counter = 0;
const anInput = () => {
  counter += 1;
  return { username: `Person${counter}`, name: `Person ${counter}`, email: `p${counter}@example.org`, password: 'pw' };
};

async function create(change: object = {}) {
  const { body } = await server.ask(userRoutes.create, {
    body: { ...anInput(), ...change },
    session: admin.session,
  });
  return body;
}

const put = (id: number, body: object, { session }: TestUser = admin) =>
  server.ask(userRoutes.update, { params: { user_id: id }, body, session });
const read = async (id: number) =>
  (await server.ask(userRoutes.get, { params: { user_id: id }, session: admin.session })).body;
const setPassword = (id: number, password: string, { session }: TestUser = admin) =>
  server.ask(userRoutes.changePassword, { params: { user_id: id }, body: { password }, session });
const remove = (id: number, { session }: TestUser = admin) =>
  server.ask(userRoutes.remove, { params: { user_id: id }, session });
const isSignedIn = async (session: string) => (await server.call('GET', '/user', { session })).status === 200;

async function listEvents(id: number): Promise<object[]> {
  return server.database.read
    .selectFrom('event')
    .select(['user_id', 'description', 'object_name', 'address'])
    .where('object_type', '=', 'user')
    .where('object_id', '=', id)
    .orderBy('id')
    .execute();
}

/** Makes a user external, as a sign-in elsewhere does. */
async function makeExternal(id: number): Promise<void> {
  await server.database.transact((db) =>
    db.updateTable('user').set({ external: true, password: null }).where('id', '=', id).execute(),
  );
}

describe('a list of users', () => {
  test('is sorted by name, and tells everybody but administrators only what they are called', async () => {
    const nobody = await aUser(server);
    await create({ name: 'zoe' });
    await create({ name: 'Adam' });
    const full = (await server.ask(userRoutes.list, { session: admin.session })).body;
    const names = full.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    expect(full[0]).toMatchObject({ name: 'Adam', external: false, alert: false, totp: null });
    const { body, text } = await server.ask(userRoutes.list, { session: nobody.session });
    expect(body.map(({ id }) => id)).toEqual(full.map(({ id }) => id));
    for (const user of body) expect(Object.keys(user).toSorted()).toEqual(['id', 'name', 'username']);
    expect(text).not.toContain('@example.org');
  });
});

describe('an administrator', () => {
  test('adds a user who can sign in, and the password comes out nowhere', async () => {
    const answer = await server.ask(userRoutes.create, {
      body: { ...anInput(), username: ' Ada ', password: 'lovelace', alert: true },
      session: admin.session,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ username: 'Ada', admin: false, external: false, alert: true, totp: null });
    expect(await checkPassword(server.database, 'ADA', 'lovelace')).toBe(answer.body.id);
    expect(answer.text).not.toMatch(/lovelace|argon2/);
    expect(await listEvents(answer.body.id)).toEqual([
      { user_id: admin.id, description: 'User Ada created', object_name: 'Ada', address: '127.0.0.1' },
    ]);
  });

  test('adds an external user without a password, who cannot sign in with one', async () => {
    const user = await create({ external: true, password: 'ignored' });
    expect(user.external).toBe(true);
    expect(await checkPassword(server.database, user.username, 'ignored')).toBeUndefined();
  });

  test.each([
    [{ username: '  ' }, 'username is required'],
    [{ name: '' }, 'name is required'],
    [{ email: '' }, 'email is required'],
    [{ email: 'nobody' }, 'email must be an e-mail address'],
    [{ email: 'a@b\r\nBcc: x@y' }, 'email must be an e-mail address'],
    [{ name: 'a\u001b[2J' }, 'name must not contain control characters'],
    [{ password: '' }, 'password is required'],
    [{ password: '   ' }, 'password'],
    [{ password: undefined }, 'password is required'],
  ])('is refused a user with %j', async (change, message) => {
    const before = (await server.ask(userRoutes.list, { session: admin.session })).body.length;
    const answer = await server.call('POST', '/users', { body: { ...anInput(), ...change }, session: admin.session });
    expect(answer.status).toBe(400);
    expect(answer.error.error).toContain(message);
    expect((await server.ask(userRoutes.list, { session: admin.session })).body).toHaveLength(before);
  });

  test('is refused a login or an address that signs somebody else in, in any letter case', async () => {
    const known = await create();
    const taken = [
      { username: known.username.toUpperCase() },
      { email: known.email.toUpperCase() },
      { username: known.email },
    ];
    for (const change of taken) {
      const added = await server.call('POST', '/users', { body: { ...anInput(), ...change }, session: admin.session });
      expect([added.status, added.error.code]).toEqual([409, 'not_unique']);
      const other = await create();
      expect((await put(other.id, change)).status).toBe(409);
      expect(await read(other.id)).toEqual(other);
    }
  });

  test('adds users whose logins are not English, and letter case counts for nothing there either', async () => {
    const user = await create({ username: 'Élodie Ñ', password: 'pw' });
    for (const login of ['élodie ñ', 'ÉLODIE Ñ', 'E\u0301lodie Ñ']) {
      expect(await checkPassword(server.database, login, 'pw')).toBe(user.id);
    }
    const taken = await server.call('POST', '/users', {
      body: { ...anInput(), username: 'élodie ñ' },
      session: admin.session,
    });
    expect([taken.status, taken.error.code]).toEqual([409, 'not_unique']);
  });

  test('changes what is sent and nothing else, and the event says what', async () => {
    const user = await create();
    expect((await put(user.id, { name: 'New', alert: true, admin: true, id: 999, external: true })).status).toBe(204);
    expect(await read(user.id)).toEqual({ ...user, name: 'New', alert: true, admin: true });
    expect((await listEvents(user.id)).at(-1)).toMatchObject({
      description: `User ${user.username} updated: name, alerts, now an administrator`,
    });
    expect(await checkPassword(server.database, user.username, 'pw')).toBe(user.id);
  });

  test('sends back what he got without a change and without an event', async () => {
    const user = await aUser(server);
    await server.database.transact((db) =>
      db.updateTable('user').set({ email: '' }).where('id', '=', user.id).execute(),
    );
    const before = await read(user.id);
    expect((await put(user.id, { ...before, password: '' })).status).toBe(204);
    expect(await read(user.id)).toEqual(before);
    expect(await listEvents(user.id)).toEqual([]);
  });

  test('finds no user that is not there', async () => {
    for (const answer of [await put(999_999, { name: 'x' }), await remove(999_999), await setPassword(999_999, 'x')]) {
      expect([answer.status, answer.error.code]).toEqual([404, 'not_found']);
    }
  });
});

describe('nobody', () => {
  test('changes his own administrator flag, in either direction', async () => {
    const user = await aUser(server);
    for (const [who, flag] of [
      [user, true],
      [admin, false],
    ] as const) {
      const answer = await put(who.id, { admin: flag }, who);
      expect([answer.status, answer.error.code]).toEqual([403, 'forbidden']);
      expect((await read(who.id)).admin).toBe(!flag);
    }
    expect((await put(user.id, { admin: false, name: 'Same flag' }, user)).status).toBe(204);
  });

  test('reaches another user without being an administrator, whether he exists or not', async () => {
    const user = await aUser(server);
    for (const id of [admin.id, 999_999]) {
      const params = { user_id: id };
      const answers = [
        await server.ask(userRoutes.get, { params, session: user.session }),
        await put(id, { name: 'x' }, user),
        await remove(id, user),
        await setPassword(id, 'x', user),
      ];
      for (const answer of answers) expect([answer.status, answer.error.code]).toEqual([403, 'forbidden']);
    }
    expect((await server.ask(userRoutes.create, { body: anInput(), session: user.session })).status).toBe(403);
  });
});

describe('a user', () => {
  test('changes himself', async () => {
    const user = await aUser(server);
    expect((await put(user.id, { name: 'Me', email: 'me@example.org' }, user)).status).toBe(204);
    const { body } = await server.ask(userRoutes.get, { params: { user_id: user.id }, session: user.session });
    expect(body).toMatchObject({ name: 'Me', email: 'me@example.org' });
  });

  test('cannot empty his address', async () => {
    const user = await aUser(server);
    expect((await put(user.id, { email: '' }, user)).status).toBe(400);
  });

  test('who gets a new password is signed out everywhere but where he changed it himself', async () => {
    const user = await aUser(server);
    const [other] = await openSessions(user.id);
    expect((await setPassword(user.id, 'new one', user)).status).toBe(204);
    expect([await isSignedIn(user.session), await isSignedIn(other ?? '')]).toEqual([true, false]);
    expect(await checkPassword(server.database, user.actor.username, 'new one')).toBe(user.id);
    expect((await put(user.id, { password: 'newer' })).status).toBe(204);
    expect(await isSignedIn(user.session)).toBe(false);
    expect((await listEvents(user.id)).map((event) => Object.values(event))).toEqual([
      expect.arrayContaining([user.id, `User ${user.actor.username} got a new password`]),
      expect.arrayContaining([admin.id, `User ${user.actor.username} updated: password`]),
    ]);
  });

  test.each(['', '  '])('is refused the password %j', async (password) => {
    const user = await aUser(server);
    expect((await setPassword(user.id, password, user)).status).toBe(400);
    expect(await isSignedIn(user.session)).toBe(true);
  });

  test('who signs in elsewhere keeps login and address, and has no password here', async () => {
    const user = await aUser(server);
    await makeExternal(user.id);
    const before = await read(user.id);
    for (const change of [{ username: 'other' }, { email: 'other@example.org' }, { password: 'secret' }]) {
      const answer = await put(user.id, { ...before, ...change });
      expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
    }
    expect((await setPassword(user.id, 'secret', user)).status).toBe(400);
    expect(await read(user.id)).toEqual(before);
    expect((await put(user.id, { ...before, name: 'Other', alert: true })).status).toBe(204);
    expect(await read(user.id)).toEqual({ ...before, name: 'Other', alert: true });
  });

  test('deletes himself; what he did stays, by nobody', async () => {
    const user = await aUser(server);
    await put(user.id, { name: 'Last words' }, user);
    expect((await remove(user.id, user)).status).toBe(204);
    expect(await isSignedIn(user.session)).toBe(false);
    expect(await listEvents(user.id)).toEqual([
      expect.objectContaining({ user_id: null, description: `User ${user.actor.username} updated: name` }),
      expect.objectContaining({ user_id: null, description: `User ${user.actor.username} deleted by himself` }),
    ]);
  });

  test('who is the only owner of a project cannot be deleted, and the answer names the project', async () => {
    const project = await aProject(server);
    const { name } = await server.database.read
      .selectFrom('project')
      .select('name')
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow();
    const refused = await remove(project.owner.id);
    expect(refused.status).toBe(409);
    expect(refused.error).toMatchObject({ code: 'conflict', details: { projects: [name] } });
    expect(refused.error.error).toContain(name);
    expect(await isSignedIn(project.owner.session)).toBe(true);
    await aUser(server, { role: 'owner', projectId: project.id });
    expect((await remove(project.owner.id)).status).toBe(204);
  });

  test('who owned a project that is being deleted can be deleted', async () => {
    const project = await aProject(server);
    await server.database.transact((db) =>
      db.updateTable('project').set({ deleted: 1 }).where('id', '=', project.id).execute(),
    );
    expect((await remove(project.owner.id)).status).toBe(204);
  });
});

test('the last administrator can neither be deleted nor lose the flag', async () => {
  const other = await aUser(server, { admin: true });
  // The one who asks loses his own flag meanwhile, as when another server takes it from him.
  const others = await server.database.read.selectFrom('user').select('id').where('admin', '=', true).execute();
  const rest = others.filter(({ id }) => id !== other.id && id !== admin.id).map(({ id }) => id);
  await server.database.transact((db) =>
    db
      .updateTable('user')
      .set({ admin: false })
      .where('id', 'in', [0, ...rest])
      .execute(),
  );
  expect((await put(other.id, { admin: false })).status).toBe(204);
  const refused = await remove(admin.id);
  expect([refused.status, refused.error.error]).toEqual([409, 'chief is the last administrator']);
  expect((await read(admin.id)).admin).toBe(true);
});

/** Another session of the same user, by the name of its cookie. */
async function openSessions(userId: number): Promise<string[]> {
  const token = `other-session-${userId}`;
  const now = Date.now();
  const row = { user_id: userId, created: now, last_active: now, address: '', user_agent: '', verified: true };
  await server.database.transact((db) =>
    db
      .insertInto('session')
      .values({ ...row, token_hash: hashToken(token) })
      .execute(),
  );
  return [token];
}

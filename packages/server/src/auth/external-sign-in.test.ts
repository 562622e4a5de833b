import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { insertProject, insertUser } from '../test/rows.ts';
import { signInExternal } from './external-sign-in.ts';

let opened: TestDatabase;
const logged: string[] = [];
let rightsChanges = 0;
const log = createLogger((line) => logged.push(line));

beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.database.transact((db) => insertUser(db, { username: 'root', admin: true }));
});
afterAll(() => opened.remove());
beforeEach(() => {
  logged.length = 0;
  rightsChanges = 0;
});

const caller = { address: '192.0.2.1', userAgent: '' };

/** Signs in a person with these groups under these rules, and returns what he has then. */
async function signIn(subject: string, groups: string[], rules: object[]) {
  const config = loadConfig({ SIGNALBOX_SIGN_IN_RULES: JSON.stringify(rules) });
  const outside = { database: opened.database, log, rules: config.signIn.rules, onRightsChange: () => rightsChanges++ };
  const person = { issuer: 'https://id', subject, username: subject, name: subject, isEmailRefuted: false };
  const evidence = { provider: 'p', claims: {}, groups, isSameGroup: Object.is };
  const proved = { person: { ...person, email: `${subject}@example.net` }, evidence, via: 'P' };
  await signInExternal(outside, proved, caller, async () => undefined);
  return readRights(subject);
}

async function readRights(username: string) {
  const { read } = opened.database;
  const user = await read
    .selectFrom('user')
    .select(['id', 'admin'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  const members = await read
    .selectFrom('project_user')
    .select(['project_id', 'role'])
    .where('user_id', '=', user.id)
    .execute();
  return { ...user, roles: Object.fromEntries(members.map(({ project_id: id, role }) => [id, role])) };
}

const aProject = (name: string) => opened.database.transact((db) => insertProject(db, { name }));
const setRole = (projectId: number, userId: number, role: 'owner' | 'manager' | 'guest') =>
  opened.database.transact((db) =>
    db
      .updateTable('project_user')
      .set({ role })
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .execute(),
  );
async function readEvents(projectId: number | null, userId: number) {
  const rows = await opened.database.read
    .selectFrom('event')
    .select(['description', 'address'])
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  expect(rows.every(({ address }) => address === caller.address)).toBe(true);
  return rows.map(({ description }) => description);
}

test('rules give the admin flag and roles at a sign-in, and take them away when they no longer hold', async () => {
  const project = await aProject('Website');
  const rules = [
    { group: 'admins', admin: true },
    { group: 'web', project: 'Website', role: 'manager' },
    { group: 'lead', project, role: 'owner' },
  ];
  expect(await signIn('ada', [], rules)).toMatchObject({ admin: false, roles: {} });
  expect(rightsChanges).toBe(0);
  const { id } = await signIn('ada', ['admins', 'web'], rules);
  expect(await readRights('ada')).toMatchObject({ admin: true, roles: { [project]: 'manager' } });
  expect(rightsChanges).toBe(1);
  await opened.database.transact((db) =>
    db.insertInto('project_user').values({ project_id: project, user_id: 1, role: 'owner' }).execute(),
  );
  expect(await signIn('ada', ['lead'], rules)).toMatchObject({ admin: false, roles: { [project]: 'owner' } });
  expect(await signIn('ada', ['web'], rules)).toMatchObject({ roles: { [project]: 'manager' } });
  expect(await signIn('ada', ['web'], rules)).toMatchObject({ roles: { [project]: 'manager' } });
  expect(await signIn('ada', ['web'], [])).toMatchObject({ admin: false, roles: {} });
  expect(await readEvents(project, id)).toEqual([
    'User ada has the role manager by a rule',
    'User ada has the role owner by a rule',
    'User ada has the role manager by a rule',
    'User ada left the team by a rule',
  ]);
  expect(await readEvents(null, id)).toContain('User ada became an administrator by a rule');
  expect(await readEvents(null, id)).toContain('User ada is no administrator any more by a rule');
  expect(await opened.database.read.selectFrom('sign_in_grant').selectAll().execute()).toEqual([]);
});

test('what was given by hand stays, whatever rules say', async () => {
  const [given, changed, removed] = [await aProject('Given'), await aProject('Changed'), await aProject('Removed')];
  const { id } = await signIn('bob', [], []);
  await opened.database.transact(async (db) => {
    await db.insertInto('project_user').values({ project_id: given, user_id: id, role: 'guest' }).execute();
    await db.updateTable('user').set({ admin: true }).where('id', '=', id).execute();
  });
  const rules = [given, changed, removed].map((project) => ({ group: 'g', project, role: 'manager' }));
  const all = [...rules, { group: 'g', admin: true }];
  const first = await signIn('bob', ['g'], all);
  expect(first.roles).toEqual({ [given]: 'guest', [changed]: 'manager', [removed]: 'manager' });
  await setRole(changed, id, 'guest');
  await opened.database.transact((db) =>
    db.deleteFrom('project_user').where('project_id', '=', removed).where('user_id', '=', id).execute(),
  );
  expect((await signIn('bob', ['g'], all)).roles).toEqual({
    [given]: 'guest',
    [changed]: 'guest',
    [removed]: 'manager',
  });
  expect(await signIn('bob', [], all)).toMatchObject({ admin: true, roles: { [given]: 'guest', [changed]: 'guest' } });
});

test('the last owner of a project keeps his role until there is another', async () => {
  const project = await aProject('Lonely');
  const rules = [{ group: 'g', project, role: 'owner' }];
  await signIn('carl', ['g'], rules);
  expect((await signIn('carl', [], rules)).roles).toEqual({ [project]: 'owner' });
  expect(logged.join()).toContain('cannot take the role of an owner');
  await opened.database.transact((db) =>
    db.insertInto('project_user').values({ project_id: project, user_id: 1, role: 'owner' }).execute(),
  );
  expect((await signIn('carl', [], rules)).roles).toEqual({});
});

test('the last administrator keeps his rights until there is another', async () => {
  const rules = [{ group: 'g', admin: true }];
  await signIn('dora', ['g'], rules);
  const setAdmins = (admin: boolean) =>
    opened.database.transact((db) => db.updateTable('user').set({ admin }).where('username', '<>', 'dora').execute());
  await setAdmins(false);
  expect((await signIn('dora', [], rules)).admin).toBe(true);
  expect(logged.join()).toContain('cannot take the rights of an administrator');
  await opened.database.transact((db) =>
    db.updateTable('user').set({ admin: true }).where('username', '=', 'root').execute(),
  );
  expect((await signIn('dora', [], rules)).admin).toBe(false);
});

test('of two administrators by rule who lose it at once, one stays', async () => {
  const rules = [{ group: 'g', admin: true }];
  await signIn('one', ['g'], rules);
  await signIn('two', ['g'], rules);
  await opened.database.transact((db) =>
    db.updateTable('user').set({ admin: false }).where('username', 'not in', ['one', 'two']).execute(),
  );
  await Promise.all([signIn('one', [], rules), signIn('two', [], rules)]);
  const left = [await readRights('one'), await readRights('two')].filter(({ admin }) => admin);
  expect(left).toHaveLength(1);
  await opened.database.transact((db) =>
    db.updateTable('user').set({ admin: true }).where('username', '=', 'root').execute(),
  );
});

test('a project that is not there, or one of several of a name, is given to nobody', async () => {
  await aProject('Twice');
  await aProject('Twice');
  const rules = ['Twice', 'Nowhere', 999_999].map((project) => ({ group: 'g', project, role: 'guest' }));
  expect((await signIn('erin', ['g'], rules)).roles).toEqual({});
  expect(logged.join()).toContain('more than one project');
  expect(logged.join()).toContain('no project');
});

test('the same person who comes twice at once becomes one user', async () => {
  await Promise.all(Array.from({ length: 4 }, () => signIn('fred', [], [])));
  const users = await opened.database.read
    .selectFrom('user')
    .select('id')
    .where('email', '=', 'fred@example.net')
    .execute();
  expect(users).toHaveLength(1);
});

import { openSession } from '../../auth/sessions.ts';
import { hashToken } from '../../auth/tokens.ts';
import { aUser } from '../factories.ts';
import { passcodeOf, readPassword } from './people.ts';
import { makeMember, nextName, type Place, type Sender } from './place.ts';
import type { Samples } from './sample.ts';

/** Somebody who is in nobody's way. */
const anotherUser = async (place: Place): Promise<number> => (await aUser(place.server)).id;

async function enrol(place: Place, user: Sender): Promise<{ id: number; recovery_code: string }> {
  const path = `/users/${user.userId}/2fas/totp`;
  // A sample before this one may have left him with one.
  await place.server.database.transact((db) => db.deleteFrom('totp').where('user_id', '=', user.userId).execute());
  const answer = await place.server.call('POST', path, { session: user.session, body: {} });
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body as { id: number; recovery_code: string };
}

async function enrolOther(place: Place) {
  const user = await aUser(place.server);
  const { id } = await enrol(place, { userId: user.id, session: user.session });
  return { ids: [user.id, id] };
}

const enrolOwn = async (place: Place, sender: Sender) => ({
  ids: [sender.userId, (await enrol(place, sender)).id],
});

async function wholeUser({ server }: Place, id: number) {
  const row = await server.database.read
    .selectFrom('user')
    .select(['username', 'name', 'email', 'alert', 'admin'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ids: [id], body: { ...row, name: nextName('Ada') } };
}

async function isHalfWay({ server }: Place, { userId }: Sender): Promise<boolean> {
  const row = await server.database.read
    .selectFrom('session')
    .select('id')
    .where('user_id', '=', userId)
    .where('verified', '=', false)
    .executeTakeFirst();
  return row !== undefined;
}

/** One more session of a user, by its id. */
async function withSession({ server: { database } }: Place, userId: number, ids: readonly number[]) {
  const id = await database.transact(async (db) => {
    const cookie = await openSession(db, { userId, address: '', userAgent: '', verified: true }, Date.now());
    const opened = db.selectFrom('session').select('id').where('token_hash', '=', hashToken(cookie));
    return (await opened.executeTakeFirstOrThrow()).id;
  });
  return { ids: [...ids, id] };
}

export const peopleSamples: Samples = {
  'POST /auth/login': async ({ server }) => {
    const { username, password } = await readPassword(server);
    return { body: { auth: username, password } };
  },
  'POST /auth/logout': () => ({}),
  'GET /auth/oidc/:provider/login': () => ({ ids: ['acme'], query: 'redirect=/project/1' }),
  'GET /auth/oidc/:provider/redirect': () => ({ ids: ['acme'], query: 'code=x&state=y' }),
  'POST /auth/verify': async (place, sender) => {
    if (!(await isHalfWay(place, sender))) return { body: { passcode: '000000' } };
    await enrol(place, sender);
    return { body: { passcode: await passcodeOf(place.server, sender.userId) } };
  },
  'POST /auth/recovery': async (place, sender) => {
    if (!(await isHalfWay(place, sender))) return { body: { recovery_code: 'ABCD-EFGH-JKLM' } };
    return { body: { recovery_code: (await enrol(place, sender)).recovery_code } };
  },

  'GET /user/tokens': () => ({}),
  'POST /user/tokens': () => ({ body: { name: nextName('token') } }),
  'DELETE /user/tokens/:token_id': async ({ server }, { session }) => {
    const answer = await server.call('POST', '/user/tokens', { session, body: {} });
    return { ids: [String((answer.body as { id: string }).id)] };
  },

  'POST /users': () => {
    const username = nextName('grace');
    return { body: { username, name: 'Grace', email: `${username}@example.org`, password: 'swordfish-1' } };
  },
  'GET /users/:user_id (own)': (_place, { userId }) => ({ ids: [userId] }),
  'GET /users/:user_id (other)': async (place) => ({ ids: [await anotherUser(place)] }),
  'PUT /users/:user_id (own)': (place, { userId }) => wholeUser(place, userId),
  'PUT /users/:user_id (other)': async (place) => wholeUser(place, await anotherUser(place)),
  'DELETE /users/:user_id (own)': (_place, { userId }) => ({ ids: [userId] }),
  'DELETE /users/:user_id (other)': async (place) => ({ ids: [await anotherUser(place)] }),
  'POST /users/:user_id/password (own)': (_place, { userId }) => ({ ids: [userId], body: { password: 'swordfish-2' } }),
  'POST /users/:user_id/password (other)': async (place) => ({
    ids: [await anotherUser(place)],
    body: { password: 'swordfish-2' },
  }),
  'POST /users/:user_id/2fas/totp (own)': (_place, { userId }) => ({ ids: [userId] }),
  'POST /users/:user_id/2fas/totp (other)': async (place) => ({ ids: [await anotherUser(place)] }),
  'DELETE /users/:user_id/2fas/totp/:totp_id (own)': enrolOwn,
  'DELETE /users/:user_id/2fas/totp/:totp_id (other)': enrolOther,
  'GET /users/:user_id/2fas/totp/:totp_id/qr (own)': enrolOwn,
  'GET /users/:user_id/2fas/totp/:totp_id/qr (other)': enrolOther,
  'DELETE /user/sessions/:session_id': (place, { userId }) => withSession(place, userId, []),
  'GET /users/:user_id/sessions (own)': (_place, { userId }) => ({ ids: [userId] }),
  'GET /users/:user_id/sessions (other)': async (place) => ({ ids: [await anotherUser(place)] }),
  'DELETE /users/:user_id/sessions (own)': (_place, { userId }) => ({ ids: [userId] }),
  'DELETE /users/:user_id/sessions (other)': async (place) => ({ ids: [await anotherUser(place)] }),
  'DELETE /users/:user_id/sessions/:session_id (own)': (place, { userId }) => withSession(place, userId, [userId]),
  'DELETE /users/:user_id/sessions/:session_id (other)': async (place) => {
    const id = await anotherUser(place);
    return await withSession(place, id, [id]);
  },

  'GET /project/:project_id/users': () => ({}),
  'POST /project/:project_id/users': async (place) => ({
    body: { user_id: await anotherUser(place), role: 'guest' },
  }),
  'GET /project/:project_id/users/:user_id': async (place) => ({ ids: [(await makeMember(place)).id] }),
  'PUT /project/:project_id/users/:user_id': async (place) => ({
    ids: [(await makeMember(place)).id],
    body: { role: 'manager' },
  }),
  'DELETE /project/:project_id/users/:user_id': async (place) => ({ ids: [(await makeMember(place)).id] }),
  'DELETE /project/:project_id/me': () => ({}),

  'POST /projects': () => ({
    body: { name: nextName('project'), alert: true, alert_chat: '1', max_parallel_tasks: 2, type: '', demo: false },
  }),
  'POST /projects/restore': async (place) => {
    const path = `/project/${place.project.id}/backup`;
    const answer = await place.server.call('GET', path, { session: place.admin.session });
    return { body: answer.body };
  },
  'PUT /project/:project_id': (place) => ({
    body: { id: place.project.id, name: nextName('project'), alert: true, alert_chat: '1', max_parallel_tasks: 3 },
  }),
  'DELETE /project/:project_id': () => ({ spendsPlace: true }),
};

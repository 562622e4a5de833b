import { authRoutes } from '@signalbox/contract/auth';
import { systemRoutes } from '@signalbox/contract/system';
import { totpRoutes } from '@signalbox/contract/totp';
import { userRoutes } from '@signalbox/contract/users';
import { generateSync } from 'otplib';
import { toBuffer } from 'qrcode';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { hashPassword } from '../../auth/passwords.ts';
import { describeTotp } from '../../auth/totp.ts';
import { placeOf } from '../../db/sealed-columns.ts';
import { aUser, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let admin: TestUser;
let hash: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
  hash = await hashPassword('right');
});
afterAll(() => server.stop());
// In the middle of a time step, and each test in one of its own.
let now = Math.ceil(Date.now() / 30_000) * 30_000 + 15_000;
beforeEach(async () => {
  now += 600_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  await server.database.transact((db) => db.deleteFrom('login_failure').execute());
});
afterEach(() => {
  vi.useRealTimers();
});

async function signIn({ actor }: TestUser, of = server): Promise<string> {
  const answer = await of.call('POST', '/auth/login', { body: { auth: actor.username, password: 'right' } });
  expect(answer.status).toBe(204);
  return /^signalbox=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
}

type Enrolled = TestUser & { totpId: number; recoveryCode: string };

/** A user whose sign-in has a second step. */
async function anEnrolledUser(of = server): Promise<Enrolled> {
  const user = await aUser(of, { password: hash });
  const params = { user_id: user.id };
  const { status, body } = await of.ask(totpRoutes.enrol, { params, session: user.session });
  expect(status).toBe(201);
  return { ...user, totpId: body.id, recoveryCode: body.recovery_code ?? '' };
}

async function readSecret(id: number, of = server): Promise<string> {
  const { read, keyring } = of.database;
  const row = await read.selectFrom('totp').select('secret').where('id', '=', id).executeTakeFirstOrThrow();
  return keyring.open(row.secret, placeOf('totp', id));
}

async function makeCode({ totpId }: Enrolled, of = server): Promise<string> {
  return generateSync({ secret: await readSecret(totpId, of), epoch: Math.floor(Date.now() / 1000) });
}

const verify = (session: string, passcode: string) => server.ask(authRoutes.verify, { body: { passcode }, session });
const recover = (session: string, code: string) =>
  server.ask(authRoutes.recover, { body: { recovery_code: code }, session });
const picture = (user: Enrolled, session = user.session) =>
  server.call('GET', `/users/${user.id}/2fas/totp/${user.totpId}/qr`, { session });
const askUser = (session: string) => server.ask(userRoutes.current, { session });
const removal = (user: Enrolled, session: string) =>
  server.ask(totpRoutes.remove, { params: { user_id: user.id, totp_id: user.totpId }, session });

test('the second step is active at once, and the session that asked for it goes on', async () => {
  const user = await aUser(server, { password: hash });
  const other = await signIn(user);
  const answer = await server.ask(totpRoutes.enrol, { params: { user_id: user.id }, session: user.session });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({ id: expect.any(Number), recovery_code: expect.stringMatching(/^\w{4}(-\w{4}){5}$/) });
  expect((await askUser(user.session)).body.totp).toEqual({ id: answer.body.id });
  expect((await askUser(other)).error).toEqual({ error: 'TOTP_REQUIRED', code: 'TOTP_REQUIRED' });
  const again = await server.ask(totpRoutes.enrol, { params: { user_id: user.id }, session: user.session });
  expect([again.status, again.error.code]).toEqual([409, 'conflict']);
});

test('neither secret nor recovery code are stored in clear', async () => {
  const user = await anEnrolledUser();
  const rows = await server.database.read.selectFrom('totp').selectAll().where('id', '=', user.totpId).execute();
  const events = await server.database.read.selectFrom('event').selectAll().execute();
  const stored = JSON.stringify([rows, events]);
  expect(stored).not.toContain(await readSecret(user.totpId));
  expect(stored).not.toContain(user.recoveryCode);
  expect(stored).not.toContain(user.recoveryCode.replaceAll('-', ''));
  expect(JSON.stringify((await askUser(user.session)).body)).not.toContain('recovery');
});

test('everybody sets up only his own second step, administrators too', async () => {
  const user = await anEnrolledUser();
  const other = await aUser(server);
  for (const who of [admin, other]) {
    const params = { user_id: user.id };
    expect((await server.ask(totpRoutes.enrol, { params, session: who.session })).status).toBe(403);
    expect((await picture(user, who.session)).status).toBe(403);
  }
  expect((await removal(user, other.session)).status).toBe(403);
  const crossed = { params: { user_id: other.id, totp_id: user.totpId }, session: other.session };
  expect((await server.ask(totpRoutes.remove, crossed)).status).toBe(404);
  const path = `/users/${other.id}/2fas/totp/${user.totpId}/qr`;
  expect((await server.call('GET', path, { session: other.session })).status).toBe(404);
});

test('the image is a PNG of the secret, until the first code was accepted', async () => {
  const user = await anEnrolledUser();
  const { payload, answer } = await fetchPicture(user);
  expect(answer).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' });
  const text = describeTotp(await readSecret(user.totpId), user.actor.username, 'localhost:80');
  expect(payload.equals(await toBuffer(text, { type: 'png', width: 256, margin: 2 }))).toBe(true);
  const code = await makeCode(user);
  expect((await verify(user.session, code)).status).toBe(204);
  expect((await picture(user)).status).toBe(404);
});

async function fetchPicture(user: Enrolled) {
  const { rawPayload, headers } = await server.http.fastify.inject({
    method: 'GET',
    url: `/api/users/${user.id}/2fas/totp/${user.totpId}/qr`,
    headers: { cookie: `signalbox=${user.session}` },
  });
  return { payload: rawPayload, answer: headers };
}

test('a new session is good for the second step and for signing out, and for nothing else', async () => {
  const user = await anEnrolledUser();
  const session = await signIn(user);
  for (const path of ['/user', '/info', '/projects', `/users/${user.id}`, '/user/tokens', '/user/sessions']) {
    const answer = await server.call('GET', path, { session });
    expect([path, answer.status, answer.error.error]).toEqual([path, 401, 'TOTP_REQUIRED']);
  }
  expect((await picture(user, session)).status).toBe(401);
  expect((await removal(user, session)).status).toBe(401);
  expect((await server.call('POST', '/auth/logout', { session })).status).toBe(204);
  expect((await verify(session, await makeCode(user))).status).toBe(401);
});

test('a code verifies the session, and is accepted once', async () => {
  const user = await anEnrolledUser();
  const [first, second] = [await signIn(user), await signIn(user)];
  const code = await makeCode(user);
  expect((await verify(first, code)).status).toBe(204);
  expect((await askUser(first)).body.id).toBe(user.id);
  const replayed = await verify(second, code);
  expect([replayed.status, replayed.error.code]).toEqual([401, 'wrong_credentials']);
  expect((await askUser(second)).status).toBe(401);
});

test('after a code no older one is accepted', async () => {
  const user = await anEnrolledUser();
  const older = await makeCode(user);
  vi.setSystemTime(now + 30_000);
  expect((await verify(await signIn(user), await makeCode(user))).status).toBe(204);
  expect((await verify(await signIn(user), older)).status).toBe(401);
});

test.each(['', '12345', '1234567', 'abcdef', '12 345', 123456, null])('the code %j is no code', async (passcode) => {
  const user = await anEnrolledUser();
  const answer = await server.call('POST', '/auth/verify', { session: user.session, body: { passcode } });
  expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
});

test('without a second step there is nothing to verify, and without a session nobody', async () => {
  const user = await aUser(server);
  expect((await verify(user.session, '123456')).status).toBe(400);
  expect((await recover(user.session, 'abcd')).status).toBe(400);
  for (const path of ['/auth/verify', '/auth/recovery']) {
    const answer = await server.call('POST', path, { body: { passcode: '123456', recovery_code: 'x' } });
    expect([answer.status, answer.error.code]).toEqual([401, 'unauthenticated']);
  }
});

test('an API token needs no second step, and does not verify a session', async () => {
  const user = await anEnrolledUser();
  const { body } = await server.call('POST', '/user/tokens', { session: user.session });
  const headers = { authorization: `Bearer ${(body as { token: string }).token}` };
  expect((await server.call('GET', '/user', { headers })).status).toBe(200);
  const answer = await server.call('POST', '/auth/verify', { headers, body: { passcode: await makeCode(user) } });
  expect(answer.status).toBe(401);
});

test('after five wrong codes within a minute the right one must wait, and a good one counts for nothing', async () => {
  const user = await anEnrolledUser();
  const session = await signIn(user);
  for (let attempt = 0; attempt < 4; attempt++) expect((await verify(session, '000000')).status).toBe(401);
  expect((await verify(session, await makeCode(user))).status).toBe(204);
  expect((await verify(session, '000000')).status).toBe(401);
  vi.setSystemTime(now + 30_000);
  const refused = await verify(session, await makeCode(user));
  expect([refused.status, refused.error.code]).toEqual([429, 'too_many_attempts']);
  expect((await recover(session, user.recoveryCode)).status).toBe(429);
  vi.setSystemTime(now + 61_000);
  expect((await verify(session, await makeCode(user))).status).toBe(204);
});

test('a page of another origin cannot verify a session', async () => {
  const user = await anEnrolledUser();
  const headers = { origin: 'https://evil.example' };
  const body = { passcode: await makeCode(user), recovery_code: user.recoveryCode };
  for (const path of ['/auth/verify', '/auth/recovery']) {
    expect((await server.call('POST', path, { session: user.session, headers, body })).status).toBe(403);
  }
});

test('the recovery code lets in once, and removes the second step', async () => {
  const user = await anEnrolledUser();
  const [session, other] = [await signIn(user), await signIn(user)];
  const wrong = await recover(session, 'abcd-efgh');
  expect([wrong.status, wrong.error.code]).toEqual([401, 'wrong_credentials']);
  expect((await recover(session, user.recoveryCode.toUpperCase().replaceAll('-', ' '))).status).toBe(204);
  expect((await askUser(session)).body.totp).toBeNull();
  // What was still open begins anew.
  expect((await askUser(other)).error.code).toBe('unauthenticated');
  expect((await recover(session, user.recoveryCode)).status).toBe(400);
  expect((await askUser(await signIn(user))).status).toBe(200);
});

test('the user himself and an administrator remove the second step', async () => {
  for (const who of ['user', 'administrator']) {
    const user = await anEnrolledUser();
    const open = await signIn(user);
    expect((await removal(user, who === 'user' ? user.session : admin.session)).status).toBe(204);
    expect((await askUser(user.session)).body.totp).toBeNull();
    expect((await askUser(open)).error.code).toBe('unauthenticated');
    expect((await askUser(await signIn(user))).status).toBe(200);
    expect((await removal(user, admin.session)).status).toBe(404);
  }
});

test('every step is told in the activity list', async () => {
  const user = await anEnrolledUser();
  const session = await signIn(user);
  await verify(session, await makeCode(user));
  await removal(user, admin.session);
  const events = await server.database.read
    .selectFrom('event')
    .select(['user_id', 'description'])
    .where('object_id', '=', user.id)
    .where('object_type', '=', 'user')
    .orderBy('id')
    .execute();
  const name = user.actor.username;
  expect(events).toEqual([
    { user_id: user.id, description: `Two-step sign-in switched on: ${name}` },
    { user_id: user.id, description: 'Signed in; the second step is to come' },
    { user_id: user.id, description: `Passed the second step of the sign-in: ${name}` },
    { user_id: admin.id, description: `Two-step sign-in switched off: ${name}` },
  ]);
});

test('switched off, nobody enrols and nobody is asked; without recovery there is no code', async () => {
  const off = await startTestServer({ env: { SIGNALBOX_TOTP_ENABLED: '0' } });
  const user = await aUser(off);
  const refused = await off.ask(totpRoutes.enrol, { params: { user_id: user.id }, session: user.session });
  expect([refused.status, refused.error.code]).toEqual([403, 'forbidden']);
  expect((await off.ask(authRoutes.options, {})).body.auth_methods).toEqual({});
  await off.database.transact((db) => db.updateTable('session').set({ verified: false }).execute());
  expect((await off.ask(systemRoutes.state, { session: user.session })).body.auth_methods).toEqual({});
  await off.stop();

  const strict = await startTestServer({ env: { SIGNALBOX_TOTP_ALLOW_RECOVERY: '0' } });
  const careful = await anEnrolledUser(strict);
  expect(careful.recoveryCode).toBe('');
  expect((await strict.ask(authRoutes.options, {})).body.auth_methods).toEqual({ totp: { allow_recovery: false } });
  const body = { recovery_code: 'x' };
  expect((await strict.ask(authRoutes.recover, { body, session: careful.session })).status).toBe(403);
  await strict.stop();
});

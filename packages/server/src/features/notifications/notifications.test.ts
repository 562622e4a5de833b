import { type Notification, notificationRoutes } from '@signalbox/contract/notifications';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../../test/http-receiver.ts';
import { type MailServer, startMailServer } from '../../test/mail-server.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { aToldProject, listOutbox, tell, waitForOutbox } from '../../test/told-tasks.ts';

let server: TestServer;
let receiver: HttpReceiver;
let mail: MailServer;
let project: TestProject;
let admin: TestUser;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  mail = await startMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
  server = await startTestServer({
    env: {
      SIGNALBOX_SLACK_ALERT: '1',
      SIGNALBOX_SLACK_URL: `${receiver.url}/slack/secret-path`,
      SIGNALBOX_TELEGRAM_ALERT: '1',
      SIGNALBOX_TELEGRAM_TOKEN: '1:secret-token',
      SIGNALBOX_TELEGRAM_API_URL: receiver.url,
      SIGNALBOX_EMAIL_ALERT: '1',
      SIGNALBOX_EMAIL_HOST: '127.0.0.1',
      SIGNALBOX_EMAIL_PORT: String(mail.port),
      SIGNALBOX_EMAIL_SENDER: 'signalbox@example.org',
    },
  });
  project = await aToldProject(server);
  admin = await aUser(server, { admin: true });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
  await receiver.stop();
});

const place = (of = project) => ({ project_id: of.id });
const press = (user: TestUser, body: object, of = project) =>
  server.ask(notificationRoutes.test, { params: place(of), body, session: user.session });

test('the test button sends through every channel that is set up, a mail to the caller, and answers with each outcome', async () => {
  const { status, body } = await press(project.owner, {});
  expect(status).toBe(200);
  expect(body.map(({ channel, state, kind, target }) => [channel, state, kind, target])).toEqual([
    ['email', 'sent', 'test', project.owner.actor.username],
    ['slack', 'sent', 'test', ''],
  ]);
  expect(mail.mails.at(-1)?.to).toEqual([`${project.owner.actor.username}@example.org`]);
  expect(receiver.received.at(-1)?.text).toContain('Messages about tasks of this project arrive here.');
  const events = await server.database.read
    .selectFrom('event')
    .selectAll()
    .where('project_id', '=', project.id)
    .execute();
  expect(events.at(-1)).toMatchObject({
    user_id: project.owner.id,
    description: expect.stringMatching(/^Test messages/),
  });
});

test('a test that fails says why, has no secret in it, and is not tried again', async () => {
  receiver.answer = (_received, response) => response.writeHead(404).end('no_team at /slack/secret-path');
  const { body } = await press(project.owner, { channel: 'slack' });
  expect(body).toMatchObject([
    { state: 'failed', attempts: 1, next_attempt: null, error: 'The receiver answered 404: no_team at ***' },
  ]);
  receiver.answer = (_received, response) => response.end('ok');
});

test('a message to a network that the settings deny is not sent, and says so', async () => {
  const settings = { SIGNALBOX_SLACK_ALERT: '1', SIGNALBOX_SLACK_URL: `${receiver.url}/slack` };
  const other = await startTestServer({ env: { ...settings, SIGNALBOX_DENIED_NETWORKS: '127.0.0.0/8' } });
  const own = await aToldProject(other);
  const before = receiver.received.length;
  const answer = await other.ask(notificationRoutes.test, { params: place(own), body: {}, session: own.owner.session });
  expect(answer.body).toMatchObject([
    { state: 'failed', error: 'The receiver could not be reached (denied by SIGNALBOX_DENIED_NETWORKS)' },
  ]);
  expect(receiver.received.length).toBe(before);
  await other.stop();
});

test.each([
  [{ channel: 'gotify' }, 'channel', 'is not set up on this server'],
  [{ channel: 'telegram' }, 'channel', 'needs a chat'],
  [{ channel: 'pigeon' }, 'channel', ''],
])('a test of a channel that cannot be used is refused, and nothing is sent: %j', async (body, path, message) => {
  const before = await listOutbox(server);
  const answer = await server.call('POST', `/project/${project.id}/notifications/test`, {
    session: project.owner.session,
    body,
  });
  expect(answer.status).toBe(400);
  expect(answer.error.details).toContainEqual({ path, message: message === '' ? expect.any(String) : message });
  expect(await listOutbox(server)).toEqual(before);
});

test('somebody without an e-mail address gets no test mail, and is told so when he asks for it', async () => {
  await server.database.transact((db) =>
    db.updateTable('user').set({ email: '' }).where('id', '=', admin.id).execute(),
  );
  expect((await press(admin, {})).body.map(({ channel }) => channel)).toEqual(['slack']);
  const answer = await server.call('POST', `/project/${project.id}/notifications/test`, {
    session: admin.session,
    body: { channel: 'email' },
  });
  expect(answer.error.details).toEqual([{ path: 'channel', message: 'needs your e-mail address' }]);
});

test('many tests in a minute are refused', async () => {
  const other = await aToldProject(server);
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1) statuses.push((await press(other.owner, {}, other)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
});

test('the list of a project has its own messages only, page by page; administrators see all', async () => {
  const own = await aToldProject(server);
  const other = await aToldProject(server);
  await server.database.transact((db) =>
    db.updateTable('user').set({ alert: true }).where('id', '=', own.guest.id).execute(),
  );
  const taskId = await tell(server, own, 'finish_error', { template: { name: 'Nightly' } });
  await tell(server, other, 'finish_success');
  await waitForOutbox(server, (rows) => rows.filter(({ project_id }) => project_id === other.id).length === 1);
  await waitForOutbox(server, (rows) => rows.every(({ next_attempt }) => next_attempt === null));
  const list = (query: object, user = own.owner) =>
    server.ask(notificationRoutes.list, { params: place(own), query, session: user.session });
  const { body } = await list({});
  expect(body).toHaveLength(2);
  expect(body.find(({ channel }) => channel === 'email')).toMatchObject({
    project_id: own.id,
    task_id: taskId,
    template_name: 'Nightly',
    kind: 'error',
    target: own.guest.actor.username,
    state: 'sent',
    attempts: 1,
    error: '',
  } satisfies Partial<Notification>);
  const first = await list({ limit: '1' });
  expect(first.headers.link).toBe(`<?limit=1&before=${body[0]?.id}>; rel="next"`);
  expect((await list({ limit: '1', before: body[0]?.id })).body).toEqual(body.slice(1));
  const all = await server.ask(notificationRoutes.listAll, { session: admin.session });
  expect(all.body.map(({ project_id }) => project_id)).toEqual(expect.arrayContaining([own.id, other.id]));
  expect(`${all.text}${first.text}`).not.toMatch(/secret-path|secret-token|@example\.org/);
  expect((await list({}, own.manager)).status).toBe(403);
});

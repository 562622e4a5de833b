import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aUser, type TestProject } from '../test/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../test/http-receiver.ts';
import { type EngineServer, startEngineServer, TestClock } from '../test/start-engine-server.ts';
import {
  aRunningTask,
  aToldProject,
  listOutbox,
  step,
  tell,
  waitForOutbox,
  waitUntilSpread,
} from '../test/told-tasks.ts';
import { holdMs, maxAttempts } from './outbox.ts';

const minute = 60_000;
let receiver: HttpReceiver;
let server: EngineServer;
let clock: TestClock;
let project: TestProject;

beforeEach(async () => {
  receiver = await startHttpReceiver();
  clock = new TestClock();
  server = await startEngineServer({
    clock,
    env: {
      SIGNALBOX_SLACK_ALERT: '1',
      SIGNALBOX_SLACK_URL: `${receiver.url}/services/very-secret-path`,
      SIGNALBOX_TELEGRAM_ALERT: '1',
      SIGNALBOX_TELEGRAM_TOKEN: '1:a',
      SIGNALBOX_TELEGRAM_API_URL: `${receiver.url}/telegram`,
      SIGNALBOX_EMAIL_ALERT: '1',
      SIGNALBOX_EMAIL_HOST: '127.0.0.1',
      // Nobody listens there: what matters here is who is to get a mail.
      SIGNALBOX_EMAIL_PORT: '1',
      SIGNALBOX_EMAIL_SENDER: 'signalbox@example.org',
    },
  });
  project = await aToldProject(server);
}, 60_000);
afterEach(async () => {
  await server.stop();
  await receiver.stop();
});

const reply = (status: number, text: string, headers: Record<string, string> = {}) => {
  receiver.answer = (_received, response) => response.writeHead(status, headers).end(text);
};

/** One message, after one more attempt. */
async function attempt(attempts: number) {
  const [row] = await waitForOutbox(
    server,
    // Not the one that is under way.
    ([first]) => first?.attempts === attempts && first.next_attempt !== clock.now() + holdMs,
  );
  return row ?? expect.fail();
}

describe('who is told', () => {
  test('a project with its switch off is not told about', async () => {
    await server.database.transact((db) =>
      db.updateTable('project').set({ alert: false }).where('id', '=', project.id).execute(),
    );
    await tell(server, project);
    const other = await aToldProject(server);
    await tell(server, other);
    await waitForOutbox(server, (rows) => rows.length > 0);
    expect((await listOutbox(server)).every((row) => row.project_id === other.id)).toBe(true);
  });

  test('a template that keeps its successes to itself is told about when it fails or waits', async () => {
    const template = { suppress_success_alerts: true };
    await tell(server, project, 'finish_success', { template });
    await tell(server, project, 'ask_confirmation', { template });
    await tell(server, project, 'finish_error', { template });
    await waitForOutbox(server, (rows) => rows.length >= 2);
    await waitUntilSpread(server);
    expect((await listOutbox(server)).map(({ kind }) => kind)).toEqual(['waiting_confirmation', 'error']);
  });

  test('mail goes to members who want it, and only when a task fails', async () => {
    const wants = (id: number, change: object) =>
      server.database.transact((db) => db.updateTable('user').set(change).where('id', '=', id).execute());
    await wants(project.guest.id, { alert: true });
    await wants(project.manager.id, { alert: true, email: '' });
    await wants(project.stranger.id, { alert: true });
    await wants((await aUser(server, { admin: true })).id, { alert: true });
    await tell(server, project, 'finish_success');
    await tell(server, project, 'ask_confirmation');
    await tell(server, project, 'finish_error');
    await waitForOutbox(server, (rows) => rows.length >= 4);
    await waitUntilSpread(server);
    const mails = (await listOutbox(server)).filter(({ channel }) => channel === 'email');
    expect(mails.map(({ user_id, kind }) => [user_id, kind])).toEqual([[project.guest.id, 'error']]);
  });

  test('somebody who has left the project before the mail went out gets none', async () => {
    const { id } = project.guest;
    await server.database.transact((db) => db.updateTable('user').set({ alert: true }).where('id', '=', id).execute());
    await tell(server, project);
    await waitForOutbox(server, (rows) => rows.some(({ channel, error }) => channel === 'email' && error !== ''));
    await server.database.transact((db) => db.deleteFrom('project_user').where('user_id', '=', id).execute());
    clock.advance(2 * minute);
    server.sender.wake();
    const rows = await waitForOutbox(server, (all) =>
      all.some((row) => row.channel === 'email' && row.attempts === 2 && row.next_attempt === null),
    );
    expect(rows.find(({ channel }) => channel === 'email')?.error).toBe('The user is not to be told any more');
  });

  test('Telegram is told where the project or the settings name a chat', async () => {
    await tell(server, project);
    const other = await aToldProject(server, '-42');
    await tell(server, other);
    const rows = await waitForOutbox(server, (all) => all.filter((row) => row.sent !== null).length === 3);
    expect(rows.filter(({ channel }) => channel === 'telegram').map((row) => [row.project_id, row.target])).toEqual([
      [other.id, '-42'],
    ]);
  });

  test('a task whose runner was lost is told as a failure, with the reason', async () => {
    const id = await aRunningTask(server, project, { task: { status: 'running' } });
    await server.database.transact((db) =>
      db.updateTable('task').set({ reason: 'runner lost' }).where('id', '=', id).execute(),
    );
    await step(server, [id], 'finish_error');
    await receiver.waitFor(1);
    expect(receiver.received[0]?.text).toContain('runner lost');
  });
});

describe('attempts', () => {
  test('a message is tried again after longer and longer times, and given up after the last one', async () => {
    reply(503, 'busy at /services/very-secret-path');
    await tell(server, project);
    const waits: number[] = [];
    for (let count = 1; count < maxAttempts; count += 1) {
      const row = await attempt(count);
      expect(row.error).toBe('The receiver answered 503: busy at ***');
      waits.push(((row.next_attempt ?? 0) - clock.now()) / minute);
      clock.advance((row.next_attempt ?? 0) - clock.now());
      server.sender.wake();
    }
    const last = await attempt(maxAttempts);
    expect(last).toMatchObject({ next_attempt: null, sent: null });
    expect(receiver.received).toHaveLength(maxAttempts);
    expect(waits[0]).toBeGreaterThanOrEqual(1);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(360);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(server.logged.join('')).toContain('A message was given up');
    expect(server.logged.join('')).not.toContain('very-secret-path');
  });

  test('a message that came through at last is sent once and has no error any more', async () => {
    reply(500, '');
    await tell(server, project);
    await attempt(1);
    reply(200, 'ok');
    clock.advance(2 * minute);
    server.sender.wake();
    const row = await attempt(2);
    expect(row).toMatchObject({ next_attempt: null, error: '', sent: clock.now() });
    clock.advance(24 * 60 * minute);
    server.sender.wake();
    await tell(server, project);
    await receiver.waitFor(3);
    expect(receiver.received).toHaveLength(3);
  });

  test('a receiver that asks for more time gets it', async () => {
    reply(429, '{"ok":false,"parameters":{"retry_after":1800}}');
    await tell(server, project);
    const row = await attempt(1);
    expect(row.next_attempt).toBe(clock.now() + 30 * minute);
  });

  test('a message that is refused for what it is is not tried again', async () => {
    reply(400, 'invalid_payload');
    await tell(server, project);
    expect(await attempt(1)).toMatchObject({ next_attempt: null, error: 'The receiver answered 400: invalid_payload' });
  });

  test('a redirect is not followed', async () => {
    const other = await startHttpReceiver();
    reply(307, '', { location: `${other.url}/elsewhere` });
    await tell(server, project);
    expect((await attempt(1)).error).toBe('The receiver wants to redirect (307)');
    expect(other.received).toEqual([]);
    await other.stop();
  });

  test('a receiver that says in a success that it took nothing is not believed to have taken it', async () => {
    reply(200, '{"ok":false,"description":"chat not found"}');
    const other = await aToldProject(server, '-42');
    await tell(server, other);
    const rows = await waitForOutbox(server, (all) => all.some(({ error }) => error !== ''));
    const failed = rows.find(({ channel }) => channel === 'telegram');
    expect(failed).toMatchObject({ sent: null, error: expect.stringContaining('chat not found') });
  });

  test('a receiver that is not there is named by what the system says, without its address', async () => {
    await receiver.stop();
    await tell(server, project);
    expect((await attempt(1)).error).toBe('The receiver could not be reached (ECONNREFUSED)');
    receiver = await startHttpReceiver();
  });
});

test('what was sent or given up is deleted when it is old, and what waits is not', async () => {
  await tell(server, project);
  await attempt(1);
  reply(500, '');
  await tell(server, project);
  await waitForOutbox(server, (rows) => rows.some(({ error }) => error !== ''));
  clock.advance(31 * 24 * 60 * minute);
  await server.sender.tidy();
  // A clock that leaps is believed after a day only.
  expect(await listOutbox(server)).toHaveLength(2);
  clock.advance(24 * 60 * minute);
  await server.sender.tidy();
  expect((await listOutbox(server)).map(({ sent, next_attempt }) => [sent, next_attempt !== null])).toEqual([
    [null, true],
  ]);
});

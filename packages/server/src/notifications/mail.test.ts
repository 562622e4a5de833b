import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MailSettings } from '../config-notifications.ts';
import { type MailServer, makeCertificates, startMailServer } from '../test/mail-server.ts';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';
import { aToldProject, type OutboxRow, type RunningTask, tell, waitForOutbox } from '../test/told-tasks.ts';
import { describeAlert } from './message.ts';
import { sendMail } from './send-mail.ts';

let certificates: Awaited<ReturnType<typeof makeCertificates>>;
const cleanups: (() => Promise<unknown> | unknown)[] = [];
const password = 'a-password-of-the-mail-account';

beforeAll(async () => {
  certificates = await makeCertificates();
});
afterAll(() => certificates.remove());
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

async function startMail(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const { key, cert } = certificates;
  const mail = await startMailServer({ key, cert, authOptional: true, ...options });
  cleanups.push(() => mail.stop());
  return mail;
}

async function startServer(port: number, env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startTestServer({
    env: {
      SIGNALBOX_WEB_HOST: 'https://ops.example.org',
      SIGNALBOX_EMAIL_ALERT: '1',
      SIGNALBOX_EMAIL_HOST: '127.0.0.1',
      SIGNALBOX_EMAIL_PORT: String(port),
      SIGNALBOX_EMAIL_SENDER: 'Signalbox <signalbox@example.org>',
      ...env,
    },
  });
  cleanups.push(() => server.stop());
  return server;
}

const secure = () => ({
  SIGNALBOX_EMAIL_SECURE: '1',
  SIGNALBOX_EMAIL_USERNAME: 'box',
  SIGNALBOX_EMAIL_PASSWORD: password,
  SIGNALBOX_EMAIL_CA_FILE: certificates.caFile,
});
const letIn: Parameters<typeof startMailServer>[0] = {
  authOptional: false,
  onAuth: (auth, _session, done) => {
    const isRight = auth.username === 'box' && auth.password === password;
    if (isRight) done(null, { user: 'box' });
    else done(new Error('Invalid credentials'));
  },
};

/** Tells the owner of a project of one failed task, and waits for what becomes of the first attempt. */
async function mailOwner(server: TestServer, running: RunningTask = {}): Promise<OutboxRow> {
  const project = await aToldProject(server);
  await server.database.transact((db) =>
    db.updateTable('user').set({ alert: true }).where('id', '=', project.owner.id).execute(),
  );
  await tell(server, project, 'finish_error', running);
  const [row] = await waitForOutbox(
    server,
    ([first]) => first !== undefined && (first.sent !== null || first.error !== ''),
  );
  return row ?? expect.fail();
}

test('a mail names the task, its project and its link, over STARTTLS and with the account of the settings', async () => {
  const mail = await startMail(letIn);
  const row = await mailOwner(await startServer(mail.port, secure()), {
    template: { name: 'Roll out\r\nBcc: evil@example.org' },
    task: { message: 'first "line"\n.\n\nMAIL FROM:<x>' },
  });
  expect(row).toMatchObject({ error: '', sent: expect.any(Number) });
  expect(mail.mails).toHaveLength(1);
  const [sent] = mail.mails;
  expect(sent).toMatchObject({ from: 'signalbox@example.org', user: 'box', isEncrypted: true });
  expect(sent?.to).toEqual([expect.stringMatching(/^user-\d+@example\.org$/)]);
  // Long lines are cut, and an equals sign is written as a number.
  const raw = (sent?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(raw).toContain('From: Signalbox <signalbox@example.org>\r\n');
  expect(raw).toContain('Subject: ERROR: Roll out Bcc: evil@example.org\r\n');
  expect(raw).not.toMatch(/^Bcc:/im);
  expect(raw).toMatch(/first "line"\r\n\.\r\n\r\nMAIL FROM:<x>/);
  expect(raw).toMatch(/https:\/\/ops\.example\.org\/project\/\d+\/templates\/\d+\?t=/);
  expect(raw).toContain('Auto-Submitted: auto-generated');
  expect(raw).not.toContain(password);
});

test('a server that offers no TLS gets no password', async () => {
  const mail = await startMail({
    ...letIn,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
  });
  const row = await mailOwner(await startServer(mail.port, secure()));
  expect(row.sent).toBeNull();
  expect(row.error).toContain('No safe connection to the mail server');
  expect(mail.mails).toEqual([]);
});

test('TLS from the start is spoken where it is asked for', async () => {
  const mail = await startMail({ ...letIn, secure: true });
  const settings: MailSettings = {
    sender: 'signalbox@example.org',
    host: '127.0.0.1',
    port: mail.port,
    security: 'tls',
    login: { user: 'box', password },
    ca: certificates.ca,
  };
  const facts = { kind: 'test', project: { id: 1, name: 'Railway' }, task: null, author: 'Ada' } as const;
  const message = describeAlert(facts, 'https://ops.example.org');
  // A comma would make two receivers of it.
  const letter = { to: '"ada,bob"@example.org', message, identity: { id: 'x', created: 1 } };
  const outcome = await sendMail(settings, letter, AbortSignal.timeout(10_000));
  expect(outcome).toEqual({ ok: true });
  expect(mail.mails).toMatchObject([{ isEncrypted: true, user: 'box', to: ['"ada,bob"@example.org'] }]);
});

test('a mail server whose certificate is from somebody else gets nothing', async () => {
  const mail = await startMail(letIn);
  const strange = { ...secure(), SIGNALBOX_EMAIL_CA_FILE: certificates.strangeFile };
  const row = await mailOwner(await startServer(mail.port, strange));
  expect(row.error).toMatch(/^No safe connection to the mail server/);
  expect(mail.mails).toEqual([]);
});

test('a password that is refused is told, is not, and is tried again later', async () => {
  const mail = await startMail(letIn);
  const row = await mailOwner(
    await startServer(mail.port, { ...secure(), SIGNALBOX_EMAIL_PASSWORD: 'wrong-password' }),
  );
  expect(row).toMatchObject({ sent: null, error: 'The mail server refused the user name or the password' });
  expect(row.next_attempt).not.toBeNull();
});

test('a relay without TLS and without an account takes mail in clear', async () => {
  const mail = await startMail({ disabledCommands: ['AUTH', 'STARTTLS'] });
  const row = await mailOwner(await startServer(mail.port));
  expect(row.sent).not.toBeNull();
  expect(mail.mails).toMatchObject([{ isEncrypted: false, user: undefined }]);
});

test('a receiver that the mail server does not know is given up, a server that is busy is tried again', async () => {
  const refuse = (responseCode: number) => ({
    onRcptTo: ((_address, _session, done) =>
      done(Object.assign(new Error('not now'), { responseCode }))) as NonNullable<
      Parameters<typeof startMailServer>[0]['onRcptTo']
    >,
  });
  const unknown = await startMail(refuse(550));
  const given = await mailOwner(await startServer(unknown.port));
  expect(given).toMatchObject({ next_attempt: null, error: expect.stringContaining('550') });
  const busy = await startMail(refuse(451));
  const later = await mailOwner(await startServer(busy.port));
  expect(later.next_attempt).not.toBeNull();
  expect(later.error).toContain('451');
});

test('a mail server that says nothing, or one letter at a time, is not waited for', async () => {
  const sockets = new Set<{ destroy(): void }>();
  const slow = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    // Every byte is a sign of life; only the time of the whole attempt ends it.
    const timer = setInterval(() => socket.write('2'), 200);
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    slow.close();
  });
  const row = await mailOwner(await startServer((slow.address() as AddressInfo).port));
  expect(row).toMatchObject({ sent: null, error: 'The receiver did not answer in time' });
  expect(sockets.size).toBe(0);
});

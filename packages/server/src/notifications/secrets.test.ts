import { randomBytes } from 'node:crypto';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anInventory, aPasswordKey, aTemplate, type TestProject } from '../test/factories.ts';
import { type HttpReceiver, startHttpReceiver } from '../test/http-receiver.ts';
import { type MailServer, startMailServer } from '../test/mail-server.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';
import { aToldProject, waitForOutbox } from '../test/told-tasks.ts';

let receiver: HttpReceiver;
let mail: MailServer;
let server: EngineServer;
let project: TestProject;

beforeEach(async () => {
  receiver = await startHttpReceiver();
  mail = await startMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
  const chats = ['SLACK', 'ROCKETCHAT', 'MICROSOFT_TEAMS', 'DINGTALK'].flatMap((name) => [
    [`SIGNALBOX_${name}_ALERT`, '1'],
    [`SIGNALBOX_${name}_URL`, `${receiver.url}/${name}`],
  ]);
  server = await startEngineServer({
    env: {
      ...Object.fromEntries(chats),
      SIGNALBOX_TELEGRAM_ALERT: '1',
      SIGNALBOX_TELEGRAM_TOKEN: '1:a',
      SIGNALBOX_TELEGRAM_API_URL: receiver.url,
      SIGNALBOX_GOTIFY_ALERT: '1',
      SIGNALBOX_GOTIFY_URL: receiver.url,
      SIGNALBOX_GOTIFY_TOKEN: 'a-token',
      SIGNALBOX_NOTIFICATION_WEBHOOK: '1',
      SIGNALBOX_NOTIFICATION_WEBHOOK_URL: receiver.url,
      SIGNALBOX_NOTIFICATION_WEBHOOK_SECRET: 'a-secret-of-the-webhook',
      SIGNALBOX_EMAIL_ALERT: '1',
      SIGNALBOX_EMAIL_HOST: '127.0.0.1',
      SIGNALBOX_EMAIL_PORT: String(mail.port),
      SIGNALBOX_EMAIL_SENDER: 'signalbox@example.org',
    },
  });
  project = await aToldProject(server, '42');
}, 60_000);
afterEach(async () => {
  await server.stop();
  await mail.stop();
  await receiver.stop();
});

test('none of 50 secrets that a task was given is in what any receiver gets or the outbox keeps', async () => {
  const canaries = Array.from({ length: 50 }, () => `canary-${randomBytes(12).toString('hex')}`);
  const [keys, variables, answers] = [canaries.slice(0, 10), canaries.slice(10, 30), canaries.slice(30)];
  await server.database.transact((db) =>
    db.updateTable('user').set({ alert: true }).where('id', '=', project.owner.id).execute(),
  );
  const vaults = [];
  for (const [at, key] of keys.entries()) {
    vaults.push({
      name: `vault${at}`,
      type: 'password' as const,
      vault_key_id: await aPasswordKey(server, project.id, key),
    });
  }
  const group = await server.call('POST', `/project/${project.id}/environment`, {
    session: project.owner.session,
    body: {
      name: 'secrets',
      project_id: project.id,
      json: '{}',
      secrets: variables.map((secret, at) => ({ type: 'env', name: `SECRET_${at}`, secret, operation: 'create' })),
    },
  });
  expect(group.status, group.text).toBe(201);
  const templateId = await aTemplate(server, project, {
    app: 'ansible',
    playbook: 'site.yml',
    inventory_id: await anInventory(server, project),
    environment_id: (group.body as { id: number }).id,
    vaults,
    survey_vars: answers.map((_answer, at) => ({ name: `answer${at}`, title: 'Secret', type: 'secret' as const })),
  });
  const launched = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: {
      template_id: templateId,
      secret: JSON.stringify(Object.fromEntries(answers.map((answer, at) => [`answer${at}`, answer]))),
    },
    session: project.owner.session,
  });
  expect(launched.status, launched.text).toBe(201);
  const peer = new RunnerPeer((await aRunner(server)).token, server.url);
  await peer.sync();
  // They did arrive where they belong.
  const job = JSON.stringify(peer.jobs.get(launched.body.id));
  expect(canaries.filter((canary) => !job.includes(canary))).toEqual([]);
  await peer.start(launched.body.id);
  await peer.finish(launched.body.id, { outcome: 'error', reason: 'It ended with exit code 1', exit_code: 1 });
  const rows = await waitForOutbox(server, (all) => all.length === 8 && all.every(({ sent }) => sent !== null));
  expect(receiver.received).toHaveLength(7);
  expect(mail.mails).toHaveLength(1);
  const everything = JSON.stringify([receiver.received, mail.mails, rows, server.logged]);
  expect(everything).toContain('It ended with exit code 1');
  expect(canaries.filter((canary) => everything.includes(canary))).toEqual([]);
  expect(canaries.filter((canary) => everything.includes(Buffer.from(canary).toString('base64')))).toEqual([]);
});

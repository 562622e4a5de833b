import { createHmac } from 'node:crypto';
import { WebhookMessage } from '@signalbox/contract/notifications';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type HttpReceiver, type Received, startHttpReceiver } from '../test/http-receiver.ts';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';
import { aRunningTask, aToldProject, step, tell, waitForOutbox } from '../test/told-tasks.ts';

const oddName = `Roll "out" <b>*now*</b> & [go](http://evil.example.org)\n\\ @all <!channel> {{y}}`;
const oneLine = oddName.replace('\n', ' ');
const oddMessage = `line one "quoted"\nline <i>two</i> & \`three\`\r\n# four`;
const webhookSecret = 'a-secret-of-the-webhook';
const channels = ['slack', 'rocketchat', 'microsoft_teams', 'dingtalk'] as const;

let server: TestServer;
let receiver: HttpReceiver;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  const addresses = channels.flatMap((channel) => [
    [`SIGNALBOX_${channel.toUpperCase()}_ALERT`, '1'],
    [`SIGNALBOX_${channel.toUpperCase()}_URL`, `${receiver.url}/${channel}?key=a-key-in-the-url`],
  ]);
  server = await startTestServer({
    env: {
      ...Object.fromEntries(addresses),
      SIGNALBOX_WEB_HOST: 'https://ops.example.org/box',
      SIGNALBOX_DINGTALK_SECRET: 'a-secret-of-the-robot',
      SIGNALBOX_TELEGRAM_ALERT: '1',
      SIGNALBOX_TELEGRAM_TOKEN: '123:abc-DEF',
      SIGNALBOX_TELEGRAM_CHAT: '-100',
      SIGNALBOX_TELEGRAM_API_URL: `${receiver.url}/telegram`,
      SIGNALBOX_GOTIFY_ALERT: '1',
      SIGNALBOX_GOTIFY_URL: `${receiver.url}/gotify`,
      SIGNALBOX_GOTIFY_TOKEN: 'token-of-gotify',
      SIGNALBOX_NOTIFICATION_WEBHOOK: '1',
      SIGNALBOX_NOTIFICATION_WEBHOOK_URL: `${receiver.url}/webhook`,
      SIGNALBOX_NOTIFICATION_WEBHOOK_SECRET: webhookSecret,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});
beforeEach(() => {
  receiver.received.length = 0;
});

const count = channels.length + 3;

/** One failed task with everything odd, told on every channel. */
async function tellOdd(): Promise<{
  id: number;
  projectId: number;
  templateId: number;
  at: (path: string) => Received;
}> {
  const project = await aToldProject(server, ' 42 ');
  await server.database.transact((db) =>
    db.updateTable('user').set({ name: 'Ada <ada> & *co*' }).where('id', '=', project.owner.id).execute(),
  );
  const id = await tell(server, project, 'finish_error', {
    template: { name: oddName },
    task: { message: oddMessage, user_id: project.owner.id, version: '1.0.7' },
  });
  await receiver.waitFor(count);
  await waitForOutbox(server, (rows) => rows.every((row) => row.sent !== null));
  const task = await server.database.read.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const at = (path: string) => {
    const found = receiver.received.filter((one) => one.path.startsWith(path));
    expect(found).toHaveLength(1);
    return found[0] ?? expect.fail(path);
  };
  return { id, projectId: project.id, templateId: task.template_id, at };
}

test('every channel tells of the task with its link, and shows quotes, lines and markup of users as they were typed', async () => {
  const { id, projectId, templateId, at } = await tellOdd();
  const link = `https://ops.example.org/box/project/${projectId}/templates/${templateId}?t=${id}`;

  const telegram = at('/telegram/bot123:abc-DEF/sendMessage').body as Record<string, string>;
  expect(telegram).toMatchObject({ chat_id: '42', parse_mode: 'HTML' });
  expect(telegram.text).toContain('<b>❌ ERROR</b>');
  expect(telegram.text).toContain(`<a href="${link}">`);
  expect(telegram.text).toContain('&lt;b&gt;*now*&lt;/b&gt; &amp; [go](http://evil.example.org)');
  expect(telegram.text).toContain('Author: Ada &lt;ada&gt; &amp; *co*');
  expect(telegram.text?.match(/<[^>]*>/g)).toEqual(['<b>', '</b>', `<a href="${link}">`, '</a>']);

  const slack = (at('/slack').body as { attachments: Record<string, unknown>[] }).attachments[0];
  expect(slack).toMatchObject({ color: 'danger', title_link: link, mrkdwn_in: [] });
  expect(slack?.fields).toContainEqual({ title: 'Author', value: 'Ada &lt;ada&gt; &amp; *co*', short: true });
  expect(slack?.fields).toContainEqual({ title: 'Version', value: '1.0.7', short: true });
  expect(JSON.stringify(slack)).not.toMatch(/[<>]/);

  const rocket = at('/rocketchat').body as { text: string; attachments: Record<string, string>[] };
  expect(rocket.text).toBe('❌ ERROR');
  expect(rocket.attachments[0]).toMatchObject({ color: 'red', title: oneLine, title_link: link });
  expect(rocket.attachments[0]?.text).toBe('line one "quoted"\n\nline \\<i\\>two\\</i\\> & \\`three\\`\n\n\\# four');

  const teams = at('/microsoft_teams').body as { attachments: { content: { body: unknown[]; actions: unknown[] } }[] };
  const card = teams.attachments[0]?.content;
  expect(card?.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open', url: link }]);
  expect(card?.body).toContainEqual({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: oneLine }] });

  const ding = at('/dingtalk').body as { msgtype: string; markdown: { title: string; text: string } };
  expect(ding.msgtype).toBe('markdown');
  expect(ding.markdown.text).toContain(`](${link})`);
  expect(ding.markdown.text).not.toMatch(/(?<!\\)\[go/);

  const gotify = at('/gotify/message');
  expect(gotify.headers['x-gotify-key']).toBe('token-of-gotify');
  expect(gotify.body).toMatchObject({ title: `❌ ERROR: ${oneLine}`, priority: 8 });
  expect((gotify.body as { message: string }).message).toContain(oddMessage);
});

test('the generic webhook sends a documented body with a signature that a receiver can check', async () => {
  const { id, projectId, templateId, at } = await tellOdd();
  const { headers, text, body } = at('/webhook');
  expect(z.parse(WebhookMessage, body)).toEqual(body);
  expect(body).toMatchObject({
    version: 1,
    type: 'task.error',
    project: { id: projectId },
    template: { id: templateId, name: oddName },
    task: { id, status: 'error', message: oddMessage, version: '1.0.7', build_version: null },
    author: 'Ada <ada> & *co*',
  });
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const expected = createHmac('sha256', webhookSecret).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  expect(headers['webhook-id']).toBe((body as WebhookMessage).id);
});

test('DingTalk gets the signature that its robot asks for', async () => {
  const { at } = await tellOdd();
  const query = new URL(at('/dingtalk').path, receiver.url).searchParams;
  const secret = 'a-secret-of-the-robot';
  const expected = createHmac('sha256', secret)
    .update(`${query.get('timestamp')}\n${secret}`)
    .digest('base64');
  expect(query.get('sign')).toBe(expected);
  expect(query.get('key')).toBe('a-key-in-the-url');
});

test('a success, a failure and a plan that waits are told; a stop is not', async () => {
  const project = await aToldProject(server);
  await tell(server, project, 'finish_success');
  await tell(server, project, 'finish_error');
  await tell(server, project, 'ask_confirmation');
  const stopped = await aRunningTask(server, project);
  await step(server, [stopped], 'stop');
  await step(server, [stopped], 'finish_stopped');
  await receiver.waitFor(count * 3);
  await waitForOutbox(server, (rows) => rows.every((row) => row.sent !== null));
  const types = receiver.received.filter(({ path }) => path === '/webhook').map(({ body }) => body as WebhookMessage);
  expect(types.map(({ type }) => type).toSorted()).toEqual(['task.error', 'task.success', 'task.waiting_confirmation']);
  expect(receiver.received).toHaveLength(count * 3);
});

test('a deploy tells the version of its build, and one without a build, an author or a version is told all the same', async () => {
  const project = await aToldProject(server);
  const build = await aRunningTask(server, project, { task: { status: 'success', version: '2.4' } });
  await tell(server, project, 'finish_error', { template: { type: 'deploy' }, task: { build_task_id: build } });
  await tell(server, project, 'finish_error', { template: { type: 'deploy' } });
  await receiver.waitFor(count * 2);
  const texts = receiver.received.filter(({ path }) => path.startsWith('/gotify')).map(({ text }) => text);
  expect(texts.filter((text) => text.includes('Version: build 2.4'))).toHaveLength(1);
  expect(texts.filter((text) => !text.includes('Version'))).toHaveLength(1);
  expect(texts.every((text) => text.includes('Author: –'))).toBe(true);
});

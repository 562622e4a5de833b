import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { StartRefusal } from './db/start-refusal.ts';

function refusal(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  }
  throw new Error('Nothing was refused');
}

const mail = {
  SIGNALBOX_EMAIL_ALERT: '1',
  SIGNALBOX_EMAIL_HOST: 'mail.example.org',
  SIGNALBOX_EMAIL_SENDER: 'signalbox@example.org',
};
const webhook = { SIGNALBOX_NOTIFICATION_WEBHOOK: '1', SIGNALBOX_NOTIFICATION_WEBHOOK_URL: 'https://hook.example.org' };

test('without settings no channel is on, and what is set for one that is off is not asked for more', () => {
  const { channels } = loadConfig({ SIGNALBOX_SLACK_URL: 'https://hooks.example.org/x' }).notifications;
  expect(Object.values(channels).every((channel) => channel === undefined)).toBe(true);
});

test.each([
  [{ SIGNALBOX_SLACK_ALERT: '1' }, 'SIGNALBOX_SLACK_URL'],
  [{ SIGNALBOX_MICROSOFT_TEAMS_ALERT: '1' }, 'SIGNALBOX_MICROSOFT_TEAMS_URL'],
  [{ SIGNALBOX_SLACK_ALERT: '1', SIGNALBOX_SLACK_URL: 'file:///etc/passwd' }, 'SIGNALBOX_SLACK_URL'],
  [{ SIGNALBOX_SLACK_ALERT: '1', SIGNALBOX_SLACK_URL: 'https://u:p@example.org' }, 'SIGNALBOX_SLACK_URL'],
  [{ SIGNALBOX_GOTIFY_ALERT: '1', SIGNALBOX_GOTIFY_URL: 'https://g.example.org' }, 'SIGNALBOX_GOTIFY_TOKEN'],
  [{ SIGNALBOX_GOTIFY_ALERT: '1', SIGNALBOX_GOTIFY_TOKEN: 'a\nb' }, 'SIGNALBOX_GOTIFY_TOKEN'],
  [{ SIGNALBOX_TELEGRAM_ALERT: '1' }, 'SIGNALBOX_TELEGRAM_TOKEN'],
  [{ SIGNALBOX_TELEGRAM_ALERT: '1', SIGNALBOX_TELEGRAM_TOKEN: '../x' }, 'SIGNALBOX_TELEGRAM_TOKEN'],
  [{ ...webhook }, 'SIGNALBOX_NOTIFICATION_WEBHOOK_SECRET'],
  [{ ...webhook, SIGNALBOX_NOTIFICATION_WEBHOOK_SECRET: 'short' }, 'SIGNALBOX_NOTIFICATION_WEBHOOK_SECRET'],
  [{ ...mail, SIGNALBOX_EMAIL_SENDER: 'nobody' }, 'SIGNALBOX_EMAIL_SENDER'],
  [{ ...mail, SIGNALBOX_EMAIL_SENDER: 'a@b.c\r\nBcc: x@y.z' }, 'SIGNALBOX_EMAIL_SENDER'],
  [{ ...mail, SIGNALBOX_EMAIL_HOST: '' }, 'SIGNALBOX_EMAIL_HOST'],
  [{ ...mail, SIGNALBOX_EMAIL_HOST: 'mail.example.org:25/x' }, 'SIGNALBOX_EMAIL_HOST'],
  [{ ...mail, SIGNALBOX_EMAIL_USERNAME: 'box', SIGNALBOX_EMAIL_PASSWORD: 'p' }, 'SIGNALBOX_EMAIL_USERNAME'],
  [{ ...mail, SIGNALBOX_EMAIL_USERNAME: 'box', SIGNALBOX_EMAIL_SECURE: '1' }, 'SIGNALBOX_EMAIL_PASSWORD'],
  [{ ...mail, SIGNALBOX_EMAIL_CA_FILE: '/nowhere/ca.pem' }, 'SIGNALBOX_EMAIL_CA_FILE'],
])('settings that could not send anything are refused with the name of one: %j', (env, name) => {
  expect(refusal(env)).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
});

test('a secure mail server is spoken to with TLS from the start on port 465, and by STARTTLS on others', () => {
  const read = (change: object) => loadConfig({ ...mail, ...change }).notifications.channels.email;
  expect(read({})).toMatchObject({ port: 25, security: 'none', login: undefined });
  expect(read({ SIGNALBOX_EMAIL_SECURE: '1' })).toMatchObject({ port: 587, security: 'starttls' });
  expect(read({ SIGNALBOX_EMAIL_SECURE: '1', SIGNALBOX_EMAIL_PORT: '465' })).toMatchObject({ security: 'tls' });
});

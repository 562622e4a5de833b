import * as z from 'zod/mini';
import { fail, readNamedFile, readText, refuseSetting, Switch, setting, whole } from './config-values.ts';

const Text = setting(readText);
const FileText = setting((value) => readNamedFile(readText(value)));
const Url = setting(readUrl);

/** The address of a receiver. It may be a secret: many have a token in it. */
function readUrl(value: unknown): URL {
  const url = URL.parse(readText(value));
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return fail('must be an http or https URL');
  if (url.username !== '' || url.password !== '') return fail('must be a URL without a user');
  return url;
}

/** A URL below which the addresses of an API lie. */
function readPlainUrl(value: unknown): URL {
  const url = readUrl(value);
  return url.search === '' && url.hash === '' ? url : fail('must be a URL without a query and a fragment');
}

/** One address, or a name with the address in angle brackets. */
function readSender(value: unknown): string {
  const text = readText(value).trim();
  const isGood = /^[^\p{Cc}<>]*<?[^\s<>@]+@[^\s<>@]+>?$/u.test(text) && text.includes('<') === text.endsWith('>');
  return isGood ? text : fail('must be an e-mail address, such as signalbox@example.org');
}

function readHost(value: unknown): string {
  const [, host] = /^\[?([A-Za-z0-9._:-]+)\]?$/.exec(readText(value).trim()) ?? [];
  return host ?? fail('must be a host name or an address; the port has a setting of its own');
}

/** The settings of all channels by their keys; see config.ts. */
export const notificationSettings = {
  email_alert: z._default(Switch, false),
  email_sender: z.optional(setting(readSender)),
  email_host: z.optional(setting(readHost)),
  email_port: z.optional(whole(1, 65_535)),
  email_secure: z._default(Switch, false),
  email_username: z.optional(Text),
  email_password: z.optional(Text),
  email_password_file: z.optional(FileText),
  email_ca_file: z.optional(FileText),
  telegram_alert: z._default(Switch, false),
  telegram_token: z.optional(Text),
  telegram_token_file: z.optional(FileText),
  telegram_chat: z.optional(Text),
  telegram_api_url: z._default(setting(readPlainUrl), new URL('https://api.telegram.org')),
  slack_alert: z._default(Switch, false),
  slack_url: z.optional(Url),
  rocketchat_alert: z._default(Switch, false),
  rocketchat_url: z.optional(Url),
  microsoft_teams_alert: z._default(Switch, false),
  microsoft_teams_url: z.optional(Url),
  dingtalk_alert: z._default(Switch, false),
  dingtalk_url: z.optional(Url),
  dingtalk_secret: z.optional(Text),
  gotify_alert: z._default(Switch, false),
  gotify_url: z.optional(setting(readPlainUrl)),
  gotify_token: z.optional(Text),
  gotify_token_file: z.optional(FileText),
  notification_webhook: z._default(Switch, false),
  notification_webhook_url: z.optional(Url),
  notification_webhook_secret: z.optional(Text),
  notification_webhook_secret_file: z.optional(FileText),
  notification_days: z._default(whole(1, 3660), 30),
};
type Values = z.infer<z.ZodMiniObject<typeof notificationSettings>>;

export type MailSettings = {
  readonly sender: string;
  readonly host: string;
  readonly port: number;
  /** `none`: in clear, without signing in. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** PEM; undefined: what the system trusts. */
  readonly ca: string | undefined;
};

/** What is undefined is switched off. */
export type ChannelSettings = {
  readonly email: MailSettings | undefined;
  readonly telegram: { readonly token: string; readonly chat: string | undefined; readonly apiUrl: URL } | undefined;
  readonly slack: { readonly url: URL } | undefined;
  readonly rocketchat: { readonly url: URL } | undefined;
  readonly microsoft_teams: { readonly url: URL } | undefined;
  readonly dingtalk: { readonly url: URL; readonly secret: string | undefined } | undefined;
  readonly gotify: { readonly url: URL; readonly token: string } | undefined;
  readonly webhook: { readonly url: URL; readonly secret: string } | undefined;
};

/** @throws StartRefusal with the name of the variable that is missing or cannot be used with another. */
export function readNotifications(values: Values) {
  const channels: ChannelSettings = {
    email: values.email_alert ? readMail(values) : undefined,
    telegram: values.telegram_alert ? readTelegram(values) : undefined,
    slack: readAddress(values, 'slack'),
    rocketchat: readAddress(values, 'rocketchat'),
    microsoft_teams: readAddress(values, 'microsoft_teams'),
    dingtalk: withSecret(readAddress(values, 'dingtalk'), values.dingtalk_secret),
    gotify: values.gotify_alert ? readGotify(values) : undefined,
    webhook: values.notification_webhook ? readWebhook(values) : undefined,
  };
  return { channels, keptDays: values.notification_days };
}

function readMail(values: Values): MailSettings {
  const { email_secure: isSecure, email_username: user } = values;
  const password = either(values, 'email_password');
  const port = values.email_port ?? (isSecure ? 587 : 25);
  if (user !== undefined && !isSecure)
    throw refuseSetting('email_username', 'is used with SIGNALBOX_EMAIL_SECURE=1 only');
  if (user !== undefined && password === undefined) {
    throw refuseSetting('email_password', 'is needed by SIGNALBOX_EMAIL_USERNAME');
  }
  return {
    sender: needed(values, 'email_sender', 'email_alert'),
    host: needed(values, 'email_host', 'email_alert'),
    port,
    security: isSecure ? (port === 465 ? 'tls' : 'starttls') : 'none',
    login: user === undefined ? undefined : { user, password: password ?? '' },
    ca: values.email_ca_file,
  };
}

function readTelegram(values: Values) {
  const token = either(values, 'telegram_token');
  if (token === undefined) throw refuseSetting('telegram_token', 'is needed by SIGNALBOX_TELEGRAM_ALERT');
  // It becomes part of a path.
  if (!/^\d+:[A-Za-z0-9_-]+$/.test(token)) throw refuseSetting('telegram_token', 'is not the token of a bot');
  return { token, chat: values.telegram_chat, apiUrl: values.telegram_api_url };
}

function readGotify(values: Values) {
  const token = either(values, 'gotify_token');
  if (token === undefined) throw refuseSetting('gotify_token', 'is needed by SIGNALBOX_GOTIFY_ALERT');
  // It becomes a header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw refuseSetting('gotify_token', 'is not the token of an application');
  return { url: needed(values, 'gotify_url', 'gotify_alert'), token };
}

const shortestSecret = 16;

function readWebhook(values: Values) {
  const secret = either(values, 'notification_webhook_secret');
  if (secret === undefined || secret.length < shortestSecret) {
    throw refuseSetting('notification_webhook_secret', `must have at least ${shortestSecret} characters`);
  }
  return { url: needed(values, 'notification_webhook_url', 'notification_webhook'), secret };
}

function readAddress(values: Values, channel: 'slack' | 'rocketchat' | 'microsoft_teams' | 'dingtalk') {
  return values[`${channel}_alert`] ? { url: needed(values, `${channel}_url`, `${channel}_alert`) } : undefined;
}

function withSecret(settings: { url: URL } | undefined, secret: string | undefined) {
  return settings && { ...settings, secret };
}

function needed<K extends keyof Values>(values: Values, key: K, by: keyof Values): NonNullable<Values[K]> {
  const value = values[key];
  if (value === undefined || value === null) throw refuseSetting(key, `is needed by SIGNALBOX_${by.toUpperCase()}`);
  return value;
}

/** A value that may stand in a file of its own. */
function either(
  values: Values,
  key: 'email_password' | 'telegram_token' | 'gotify_token' | 'notification_webhook_secret',
): string | undefined {
  const file = values[`${key}_file`];
  if (values[key] !== undefined && file !== undefined)
    throw refuseSetting(`${key}_file`, `is set beside SIGNALBOX_${key.toUpperCase()}`);
  const text = values[key] ?? file;
  return text === '' ? undefined : text;
}

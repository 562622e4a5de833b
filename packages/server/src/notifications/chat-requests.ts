import { createHmac } from 'node:crypto';
import type { ChannelSettings } from '../config-notifications.ts';
import { escapeHtml, escapeMarkdown, escapeSlack } from './escape.ts';
import type { Message } from './message.ts';

/** What is sent to a receiver: always a POST of JSON. */
export type OutgoingRequest = {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};
type SettingsOf<Channel extends keyof ChannelSettings> = NonNullable<ChannelSettings[Channel]>;

export function toTelegram({ token, apiUrl }: SettingsOf<'telegram'>, chat: string, message: Message): OutgoingRequest {
  const lines = [
    `<b>${escapeHtml(message.status)}</b>`,
    `<a href="${escapeHtml(message.url)}">${escapeHtml(message.title)}</a>`,
    ...message.fields.map(({ name, value }) => `${name}: ${escapeHtml(value)}`),
    escapeHtml(message.text),
  ];
  return {
    url: below(apiUrl, `bot${token}/sendMessage`),
    body: JSON.stringify({
      chat_id: chat,
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      text: lines.filter((line) => line !== '').join('\n'),
    }),
  };
}

const slackColors = { good: 'good', bad: 'danger', neutral: '#5b7ee5' } as const;

export function toSlack({ url }: SettingsOf<'slack'>, message: Message): OutgoingRequest {
  return {
    url,
    body: JSON.stringify({
      attachments: [
        {
          fallback: escapeSlack(`${message.status}: ${message.title}`),
          color: slackColors[message.mood],
          title: escapeSlack(`${message.status}: ${message.title}`),
          title_link: message.url,
          text: escapeSlack(message.text),
          // Nothing in it is Markdown.
          mrkdwn_in: [],
          fields: message.fields.map(({ name, value }) => ({ title: name, value: escapeSlack(value), short: true })),
        },
      ],
    }),
  };
}

const rocketColors = { good: 'green', bad: 'red', neutral: '#5b7ee5' } as const;

export function toRocketChat({ url }: SettingsOf<'rocketchat'>, message: Message): OutgoingRequest {
  return {
    url,
    body: JSON.stringify({
      // Only here would a name such as @all call everybody.
      text: message.status,
      parseUrls: false,
      attachments: [
        {
          color: rocketColors[message.mood],
          title: message.title,
          title_link: message.url,
          text: escapeMarkdown(message.text),
          fields: message.fields.map(({ name, value }) => ({ title: name, value: escapeMarkdown(value), short: true })),
        },
      ],
    }),
  };
}

export function toTeams({ url }: SettingsOf<'microsoft_teams'>, message: Message): OutgoingRequest {
  const card = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    body: [
      heading(message.status, message.mood),
      // Runs of text are shown as they are; blocks of text would be read as Markdown.
      run(message.title),
      {
        type: 'FactSet',
        facts: message.fields.map(({ name, value }) => ({ title: name, value: escapeMarkdown(value) })),
      },
      ...message.text
        .split('\n')
        .filter((line) => line !== '')
        .map(run),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open', url: message.url }],
  };
  return {
    url,
    body: JSON.stringify({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
    }),
  };
}

const teamsColors = { good: 'Good', bad: 'Attention', neutral: 'Accent' } as const;
const heading = (text: string, mood: Message['mood']) => ({
  type: 'TextBlock',
  text,
  weight: 'Bolder',
  size: 'Medium',
  color: teamsColors[mood],
  wrap: true,
});
const run = (text: string) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] });

/** @param now for the signature that a robot may ask for */
export function toDingTalk({ url, secret }: SettingsOf<'dingtalk'>, message: Message, now: number): OutgoingRequest {
  const text = [
    `### ${escapeMarkdown(message.status)}`,
    `[${escapeMarkdown(message.title)}](${message.url})`,
    ...message.fields.map(({ name, value }) => `${name}: ${escapeMarkdown(value)}`),
    escapeMarkdown(message.text),
  ].filter((line) => line !== '');
  const signed = new URL(url);
  if (secret !== undefined) {
    signed.searchParams.set('timestamp', String(now));
    signed.searchParams.set('sign', createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64'));
  }
  return {
    url: signed,
    body: JSON.stringify({
      msgtype: 'markdown',
      markdown: { title: `${message.status}: ${message.title}`, text: text.join('\n\n') },
    }),
  };
}

const priorities = { good: 4, bad: 8, neutral: 5 } as const;

export function toGotify({ url, token }: SettingsOf<'gotify'>, message: Message): OutgoingRequest {
  const lines = [...message.fields.map(({ name, value }) => `${name}: ${value}`), message.text, message.url];
  return {
    url: below(url, 'message'),
    // In the address it would stand in every log on the way.
    headers: { 'x-gotify-key': token },
    body: JSON.stringify({
      title: `${message.status}: ${message.title}`,
      message: lines.filter((line) => line !== '').join('\n'),
      priority: priorities[message.mood],
      extras: {
        'client::display': { contentType: 'text/plain' },
        'client::notification': { click: { url: message.url } },
      },
    }),
  };
}

function below(url: URL, path: string): URL {
  // With a dot in front: `bot1:x` would be taken for a scheme.
  return new URL(`./${path}`, url.href.endsWith('/') ? url : `${url.href}/`);
}

import type { BlockList } from 'node:net';
import { NotificationChannel } from '@signalbox/contract/notifications';
import * as z from 'zod/mini';
import type { ChannelSettings } from '../config-notifications.ts';
import {
  type OutgoingRequest,
  toDingTalk,
  toGotify,
  toRocketChat,
  toSlack,
  toTeams,
  toTelegram,
} from './chat-requests.ts';
import { describeAlert } from './message.ts';
import type { Due } from './outbox.ts';
import { sendMail } from './send-mail.ts';
import { type Outcome, sendRequest } from './send-request.ts';
import { toWebhook } from './webhook-request.ts';

export type Delivery = {
  readonly settings: ChannelSettings;
  readonly webUrl: string;
  readonly now: number;
  readonly signal: AbortSignal;
  /** Where no message is sent to. */
  readonly denied: BlockList;
  /** Of a mail: looked up for each attempt. */
  readonly findAddress: (due: Due) => Promise<string | undefined>;
};

/** One attempt to send one message. Never throws for what a receiver does. */
export async function deliver(due: Due, delivery: Delivery): Promise<Outcome> {
  const { settings, webUrl } = delivery;
  const channel = z.parse(NotificationChannel, due.channel);
  if (settings[channel] === undefined) return { ok: false, error: 'The channel is switched off', isFinal: true };
  const outcome =
    channel === 'email' && settings.email !== undefined
      ? await deliverMail(due, settings.email, delivery)
      : await sendIfAny(channel, render(channel, due, delivery), delivery);
  if (outcome.ok) return outcome;
  return { ...outcome, error: maskSettings(outcome.error, settings, webUrl) };
}

async function deliverMail(
  due: Due,
  settings: NonNullable<ChannelSettings['email']>,
  { webUrl, signal, findAddress }: Delivery,
): Promise<Outcome> {
  const to = await findAddress(due);
  if (to === undefined) return { ok: false, error: 'The user is not to be told any more', isFinal: true };
  return await sendMail(settings, { to, message: describeAlert(due.facts, webUrl), identity: identify(due) }, signal);
}

async function sendIfAny(
  channel: NotificationChannel,
  request: OutgoingRequest | undefined,
  { signal, denied }: Delivery,
): Promise<Outcome> {
  if (request === undefined) return { ok: false, error: 'The channel is switched off', isFinal: true };
  return await sendRequest(channel, request, { signal, denied });
}

/** Made anew for each attempt, from the settings of now. */
function render(
  channel: NotificationChannel,
  due: Due,
  { settings, webUrl, now }: Delivery,
): OutgoingRequest | undefined {
  const message = describeAlert(due.facts, webUrl);
  switch (channel) {
    case 'telegram':
      return settings.telegram && toTelegram(settings.telegram, due.target, message);
    case 'slack':
      return settings.slack && toSlack(settings.slack, message);
    case 'rocketchat':
      return settings.rocketchat && toRocketChat(settings.rocketchat, message);
    case 'microsoft_teams':
      return settings.microsoft_teams && toTeams(settings.microsoft_teams, message);
    case 'dingtalk':
      return settings.dingtalk && toDingTalk(settings.dingtalk, message, now);
    case 'gotify':
      return settings.gotify && toGotify(settings.gotify, message);
    case 'webhook':
      return settings.webhook && toWebhook(settings.webhook, due.facts, identify(due), { webUrl, now });
    case 'email':
      return undefined;
  }
}

const identify = ({ id, created }: Due) => ({ id: `signalbox-${created}-${id}`, created });

/** Shorter ones would mask half of every text. */
const shortest = 6;

/** A receiver may answer with what it was sent; addresses and tokens are for the operator's eyes. */
function maskSettings(text: string, settings: ChannelSettings, webUrl: string): string {
  const { email, telegram, slack, rocketchat, microsoft_teams: teams, dingtalk, gotify, webhook } = settings;
  const urls = [slack, rocketchat, teams, dingtalk, webhook].flatMap((channel) => channel?.url ?? []);
  const secrets = [
    email?.login?.password,
    telegram?.token,
    dingtalk?.secret,
    gotify?.token,
    webhook?.secret,
    ...urls.flatMap((url) => [url.href, `${url.pathname}${url.search}`, ...url.searchParams.values()]),
  ];
  let masked = text;
  for (const secret of secrets) {
    if (secret === undefined || secret.length < shortest || webUrl.includes(secret)) continue;
    masked = masked.replaceAll(secret, '***');
  }
  return masked;
}

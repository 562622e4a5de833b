import { createHmac } from 'node:crypto';
import type { WebhookMessage } from '@signalbox/contract/notifications';
import type { ChannelSettings } from '../config-notifications.ts';
import type { AlertFacts } from '../db/alerts.ts';
import type { OutgoingRequest } from './chat-requests.ts';
import { linkOf } from './message.ts';

/** Which message it is: the same at every attempt. */
export type MessageIdentity = { readonly id: string; readonly created: number };

/** The generic webhook, signed as Standard Webhooks says. */
export function toWebhook(
  { url, secret }: NonNullable<ChannelSettings['webhook']>,
  facts: AlertFacts,
  identity: MessageIdentity,
  { webUrl, now }: { webUrl: string; now: number },
): OutgoingRequest {
  const body = JSON.stringify(toMessage(facts, identity, webUrl));
  const timestamp = String(Math.floor(now / 1000));
  return {
    url,
    headers: {
      'webhook-id': identity.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${sign(secret, `${identity.id}.${timestamp}.${body}`)}`,
    },
    body,
  };
}

const encodedSecret = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** A secret as other programs make them is bytes in base64; any other one is taken as it is written. */
function sign(secret: string, text: string): string {
  const [, base64] = encodedSecret.exec(secret) ?? [];
  const key = base64 === undefined ? Buffer.from(secret) : Buffer.from(base64, 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}

function toMessage(facts: AlertFacts, { id, created }: MessageIdentity, webUrl: string): WebhookMessage {
  const { kind, project, task, author } = facts;
  return {
    version: 1,
    id,
    type: kind === 'test' ? kind : `task.${kind}`,
    timestamp: new Date(created).toISOString(),
    url: linkOf(facts, webUrl),
    project,
    template: task?.template ?? null,
    task: task === null || kind === 'test' ? null : describeTask(task, kind),
    author,
  };
}

function describeTask(
  { id, message, version, build_version, reason }: NonNullable<AlertFacts['task']>,
  status: NonNullable<WebhookMessage['task']>['status'],
): WebhookMessage['task'] {
  return { id, status, message, version, build_version, reason };
}

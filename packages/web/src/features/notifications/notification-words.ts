import type { Notification } from '@signalbox/contract/notifications';
import { type MessageKey, t } from '../../lib/i18n.ts';

const channels: Record<string, MessageKey> = {
  email: 'notifications.email',
  telegram: 'notifications.telegram',
  slack: 'notifications.slack',
  rocketchat: 'notifications.rocketchat',
  microsoft_teams: 'notifications.teams',
  dingtalk: 'notifications.dingtalk',
  gotify: 'notifications.gotify',
  webhook: 'notifications.webhook',
};

/** A channel that this console does not know keeps the name that it has on the wire. */
function nameChannel(channel: string): string {
  const key = channels[channel];
  return key === undefined ? channel : t(key);
}

/** Where a message goes: the channel, with the chat or the person where there is one. */
export function describeReceiver({ channel, target }: Notification): string {
  return target === '' ? nameChannel(channel) : t('notifications.receiver', { channel: nameChannel(channel), target });
}

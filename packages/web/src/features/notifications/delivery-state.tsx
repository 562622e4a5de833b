import type { Notification } from '@signalbox/contract/notifications';
import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import { type MessageKey, t } from '../../lib/i18n.ts';
import css from './notifications.module.css';

type Look = { label: MessageKey; icon: typeof IconClock };

const looks: Record<Notification['state'], Look> = {
  pending: { label: 'notifications.pending', icon: IconClock },
  sent: { label: 'notifications.sent', icon: IconCircleCheck },
  failed: { label: 'notifications.failed', icon: IconCircleX },
};

/** Whether a message has arrived: an icon, a word and a colour. */
export function DeliveryState({ state }: { state: Notification['state'] }) {
  const { label, icon: Icon } = looks[state];
  return (
    <span className={css.state} data-state={state}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {t(label)}
    </span>
  );
}

import type { DeliveryOutcome } from '@signalbox/contract/deliveries';
import { IconBan, IconCircleCheck, IconCircleX, IconCopy, IconFilterOff } from '@tabler/icons-react';
import { type MessageKey, t } from '../../lib/i18n.ts';
import css from '../../ui/status-badge.module.css';

type Look = { label: MessageKey; colour: string; icon: typeof IconBan };

/** Word, colour and icon, so that no one of them carries the meaning alone. */
const looks: Record<DeliveryOutcome, Look> = {
  started: { label: 'integrations.outcome.started', colour: 'success', icon: IconCircleCheck },
  refused: { label: 'integrations.outcome.refused', colour: 'failed', icon: IconBan },
  not_started: { label: 'integrations.outcome.not_started', colour: 'failed', icon: IconCircleX },
  not_matched: { label: 'integrations.outcome.not_matched', colour: 'waiting', icon: IconFilterOff },
  duplicate: { label: 'integrations.outcome.duplicate', colour: 'stopped', icon: IconCopy },
};

export function OutcomeBadge({ outcome }: { outcome: DeliveryOutcome }) {
  const { label, colour, icon: Icon } = looks[outcome];
  return (
    <span className={css.badge} data-colour={colour}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {t(label)}
    </span>
  );
}

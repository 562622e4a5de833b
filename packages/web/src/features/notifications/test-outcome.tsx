import type { Notification } from '@signalbox/contract/notifications';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { describeReceiver } from './notification-words.ts';
import css from './notifications.module.css';

type TestOutcomeProps = { outcome: readonly Notification[] | undefined; error: unknown };

/** What has become of the test messages, channel by channel. */
export function TestOutcome({ outcome, error }: TestOutcomeProps) {
  if (error !== null) return <FormBanner>{describeError(error)}</FormBanner>;
  if (outcome === undefined) return null;
  return (
    <div className={css.tests} role="status">
      {outcome.length === 0 ? t('notifications.noChannel') : t('notifications.tested')}
      {outcome.length === 0 ? null : (
        <ul className={css.channels}>
          {outcome.map((message) => (
            <li key={message.id}>
              <DeliveryState state={message.state} />
              <span>{describeReceiver(message)}</span>
              {message.error === '' ? null : <span className={css.problem}>{message.error}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

import { Button } from '@mantine/core';
import type { DeliveryDetail } from '@signalbox/contract/deliveries';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { formatExact, parseTime } from '../../lib/dates.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { FormBanner } from '../../ui/form-banner.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { DeliveryVerdict } from './delivery-verdict.tsx';
import css from './integrations.module.css';
import { deliveryQuery, type IntegrationPlace, useReplay } from './parts-data.ts';

type DeliveryDialogProps = {
  place: IntegrationPlace;
  deliveryId: number;
  /** Opens another delivery, or none. */
  onOpen: (id: number | undefined) => void;
};

const reachedBy = {
  integration: 'integrations.reached.integration',
  project: 'integrations.reached.project',
  global: 'integrations.reached.global',
} as const;

/** One call: what became of it, step by step, and what came. It can be gone through once more. */
export function DeliveryDialog({ place, deliveryId, onOpen }: DeliveryDialogProps) {
  const { data: delivery, error } = useQuery(deliveryQuery(place, deliveryId));
  const replay = useReplay(place);
  const handleReplay = (): void =>
    replay.mutate(deliveryId, {
      onSuccess: (next) => {
        showSuccess(t('integrations.replayed', { id: deliveryId }));
        onOpen(next.id);
      },
    });
  const failure = error ?? replay.error;
  return (
    <DialogFrame isOpen width={680} onClose={() => onOpen(undefined)}>
      <DialogHeader
        title={t('integrations.delivery', { id: deliveryId })}
        subtitle={delivery === undefined ? undefined : describeArrival(delivery)}
      />
      <DialogContent>
        <FormBanner>{failure === null ? undefined : describeError(failure)}</FormBanner>
        {delivery === undefined ? (
          error === null && <p className={css.was}>{t('ui.loading')}</p>
        ) : (
          <DeliveryVerdict delivery={delivery} />
        )}
      </DialogContent>
      <DialogFooter>
        <Button data-autofocus onClick={() => onOpen(undefined)}>
          {t('integrations.close')}
        </Button>
        {delivery === undefined ? null : (
          <GuardedButton
            variant="primary"
            leftSection={<IconRepeat size={17} stroke={1.7} />}
            loading={replay.isPending}
            reason={findObstacle(delivery)}
            onClick={handleReplay}
          >
            {t('integrations.replay')}
          </GuardedButton>
        )}
      </DialogFooter>
    </DialogFrame>
  );
}

function describeArrival({ created, method, verdict }: DeliveryDetail): string {
  return [
    formatExact(parseTime(created)),
    `${method} ${t(reachedBy[verdict.reached_by])}`,
    ...(verdict.replay === null
      ? []
      : [t('integrations.replayOf', { id: verdict.replay.delivery_id, username: verdict.replay.username })]),
  ].join(' · ');
}

/** Why a call cannot be gone through once more. */
function findObstacle({ verdict }: DeliveryDetail): string | undefined {
  if (!verdict.authentication.accepted) return t('integrations.replayRefused');
  return verdict.body.kept === 'all' ? undefined : t('integrations.replayCut');
}

import { Button } from '@mantine/core';
import type { NewApiToken } from '@signalbox/contract/tokens';
import { t } from '../../lib/i18n.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { SecretLine } from '../../ui/secret-line.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './tokens.module.css';

/** The one time that a token is seen. A click beside it closes nothing: the token would be lost. */
export function NewTokenDialog({ token, onClose }: { token: NewApiToken; onClose: () => void }) {
  return (
    <DialogFrame isOpen onClose={onClose} closesOutside={false} closesByKey={false}>
      <DialogHeader title={t('tokens.made', { name: token.name })} subtitle={t('tokens.madeHint')} />
      <DialogContent>
        <SecretLine
          label={t('tokens.token')}
          text={token.token}
          copyLabel={t('tokens.copy')}
          copied={t('tokens.copied')}
        />
        <p className={css.hint}>
          {token.expires === null ? t('tokens.neverEnds') : t('tokens.goodUntil')}{' '}
          {token.expires === null ? null : <TimeAgo time={token.expires} />}
        </p>
      </DialogContent>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t('tokens.done')}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

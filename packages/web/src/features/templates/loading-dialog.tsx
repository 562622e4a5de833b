import { Button, Loader } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import css from './form.module.css';

type LoadingDialogProps = { title: string; width?: number; error: Error | null; onClose: () => void };

/** A dialog whose contents are on their way, or did not come. */
export function LoadingDialog({ title, width = 450, error, onClose }: LoadingDialogProps) {
  return (
    <DialogFrame isOpen onClose={onClose} width={width}>
      <DialogHeader title={title} />
      <DialogContent>
        {error === null ? (
          <div className={css.loading} role="status" aria-label={t('ui.loading')}>
            <Loader size="sm" />
          </div>
        ) : (
          <ErrorState error={error} />
        )}
      </DialogContent>
      <DialogFooter>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
      </DialogFooter>
    </DialogFrame>
  );
}

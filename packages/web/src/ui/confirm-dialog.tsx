import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from './dialog-frame.tsx';
import { FormBanner } from './form-banner.tsx';

export type ConfirmDialogProps = {
  isOpen: boolean;
  title: string;
  /** What will happen, in one or two sentences. */
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  onClose: () => void;
  isBusy?: boolean;
  error?: ReactNode;
  /** Red, for what cannot be undone. On by default. */
  isDangerous?: boolean;
};

/** Asks once more. The safe button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, isBusy = false, isDangerous = true } = props;
  return (
    <DialogFrame isOpen={isOpen} onClose={props.onClose}>
      <DialogHeader title={title} />
      <DialogContent>
        <FormBanner>{props.error}</FormBanner>
        <div>{children}</div>
      </DialogContent>
      <DialogFooter>
        <Button onClick={props.onClose} data-autofocus>
          {t('ui.cancel')}
        </Button>
        <Button variant={isDangerous ? 'danger' : 'primary'} onClick={props.onConfirm} loading={isBusy}>
          {props.confirmLabel}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

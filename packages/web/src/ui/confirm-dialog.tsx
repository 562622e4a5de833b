import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { FormBanner } from './form-banner.tsx';
import css from './form-dialog.module.css';

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
    <Modal.Root opened={isOpen} onClose={props.onClose} size={450}>
      <Modal.Overlay />
      <Modal.Content className={css.content} role="alertdialog">
        <header className={css.header}>
          <Modal.Title className={css.title}>{title}</Modal.Title>
        </header>
        <div className={css.fields}>
          <FormBanner>{props.error}</FormBanner>
          <div>{children}</div>
        </div>
        <footer className={css.footer}>
          <div className={css.start} />
          <Button onClick={props.onClose} data-autofocus>
            {t('ui.cancel')}
          </Button>
          <Button variant={isDangerous ? 'danger' : 'primary'} onClick={props.onConfirm} loading={isBusy}>
            {props.confirmLabel}
          </Button>
        </footer>
      </Modal.Content>
    </Modal.Root>
  );
}

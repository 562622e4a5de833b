import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId } from 'react';
import { t } from '../lib/i18n.ts';
import { useOnce } from '../lib/use-once.ts';
import css from './dialog.module.css';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from './dialog-frame.tsx';
import { FormBanner } from './form-banner.tsx';
import { SubmitKeys, submitOnKeys } from './submit-keys.tsx';

export type FormDialogProps = {
  isOpen: boolean;
  title: ReactNode;
  /** Muted line under the title. */
  subtitle?: ReactNode;
  /** Word of the primary button. */
  submitLabel: string;
  onSubmit: () => void;
  onClose: () => void;
  isBusy?: boolean;
  /** Shown above the fields: what the server refused as a whole. */
  error?: ReactNode;
  /** An unsaved draft is not thrown away by a click beside the dialog. */
  isDirty?: boolean;
  /** Left end of the footer. */
  footer?: ReactNode;
  isSubmitDisabled?: boolean;
  /** The primary button is red: what it does cannot be undone. */
  isDangerous?: boolean;
  width?: number;
  children: ReactNode;
};

/** Form in a dialog: Enter in a field or Ctrl/Cmd+Enter anywhere submits, Escape closes, focus returns where it was. */
export function FormDialog(props: FormDialogProps) {
  const { isOpen, title, subtitle, onSubmit, onClose, isBusy = false, width = 450, isDirty = false } = props;
  const formId = useId();
  const submit = useOnce(onSubmit);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // a portal's events reach the form around it in React's tree
    if (!isBusy && props.isSubmitDisabled !== true) submit();
  };
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} width={width} closesOutside={!isDirty && !isBusy}>
      <form id={formId} onSubmit={handleSubmit} onKeyDown={submitOnKeys} noValidate className={css.form}>
        <DialogHeader title={title} subtitle={subtitle} />
        <DialogContent>
          <FormBanner>{props.error}</FormBanner>
          {props.children}
        </DialogContent>
        <DialogFooter start={props.footer}>
          <Button onClick={onClose} variant="default">
            {t('ui.cancel')}
          </Button>
          <Button
            type="submit"
            variant={props.isDangerous === true ? 'danger' : 'primary'}
            loading={isBusy}
            disabled={props.isSubmitDisabled === true}
            rightSection={<SubmitKeys />}
          >
            {props.submitLabel}
          </Button>
        </DialogFooter>
      </form>
    </DialogFrame>
  );
}

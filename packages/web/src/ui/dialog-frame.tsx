import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useDialogFocus } from '../lib/use-dialog-focus.ts';
import { useOnTop } from '../lib/use-on-top.ts';
import css from './dialog.module.css';

type DialogFrameProps = {
  isOpen: boolean;
  onClose: () => void;
  width?: number;
  /** A click beside it closes it too; not where a draft would be lost. */
  closesOutside?: boolean;
  /** Escape closes it; not where a secret is shown that nobody sees again. */
  closesByKey?: boolean;
  children: ReactNode;
};

/** Surface of every dialog. May be mounted open or only while it is: the focus returns to where it was in either case. */
export function DialogFrame({
  isOpen,
  onClose,
  width = 450,
  closesOutside = true,
  closesByKey = true,
  children,
}: DialogFrameProps) {
  const frame = useDialogFocus<HTMLDivElement>(isOpen);
  const isOnTop = useOnTop(isOpen);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={width}
      // From the top, so that a form that grows does not jump under the pointer.
      yOffset="var(--dialog-offset)"
      returnFocus={false}
      closeOnClickOutside={closesOutside}
      closeOnEscape={closesByKey && isOnTop}
      transitionProps={{ duration: 100, transition: 'fade' }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div ref={frame} className={css.frame}>
          {children}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Title and muted line of a dialog. */
export function DialogHeader({ title, subtitle }: { title: ReactNode; subtitle?: ReactNode }) {
  return (
    <div className={css.header}>
      <Modal.Title className={css.title}>{title}</Modal.Title>
      {subtitle === undefined ? null : <p className={css.subtitle}>{subtitle}</p>}
    </div>
  );
}

/** The part of a dialog that scrolls. With nothing in it to go to, it is a stop of its own, so that keys can scroll it. */
export function DialogContent({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const isStop = element.scrollHeight > element.clientHeight && element.querySelector(stops) === null;
    if (isStop) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  return (
    <div ref={place} className={css.content}>
      {children}
    </div>
  );
}

const stops =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"], [contenteditable]';

/** Buttons at the right end, what is said beside them at the left. */
export function DialogFooter({ start, children }: { start?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.footer}>
      <div className={css.start}>{start}</div>
      {children}
    </div>
  );
}

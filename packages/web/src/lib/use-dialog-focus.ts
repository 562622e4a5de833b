import { type RefCallback, useCallback, useEffect, useRef } from 'react';

/**
 * Takes the focus as soon as a dialog is there, and gives it back to where it was before; not when something else took it
 * meanwhile. The kit's own way does both later: on a busy page what is typed first goes nowhere, and a dialog that closes
 * before its trap has taken the focus is given it then, and drops it while it fades.
 * @returns the ref of a part of the dialog that is, or holds, what is marked with `data-autofocus`
 */
export function useDialogFocus<E extends HTMLElement>(isOpen: boolean): RefCallback<E> {
  const inside = useRef<E>(null);
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    // Opened again while it faded, it is there already.
    takeFocus(inside.current);
    return () => {
      // After what the trap of the dialog has put off.
      setTimeout(() => {
        const now = document.activeElement;
        const fading = inside.current?.closest('[role="dialog"]');
        const isFree = now === null || now === document.body || fading?.contains(now) === true;
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
  return useCallback((element) => {
    inside.current = element;
    takeFocus(element);
  }, []);
}

const first = '[data-autofocus]';

function takeFocus(part: HTMLElement | null): void {
  const target = part?.matches(first) === true ? part : part?.querySelector<HTMLElement>(first);
  target?.focus({ preventScroll: true });
}

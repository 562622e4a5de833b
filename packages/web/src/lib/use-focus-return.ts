import { type RefObject, useEffect } from 'react';

/**
 * Gives the focus back to where it was before a dialog opened; not when something else took it meanwhile. The kit's own
 * way loses it when the dialog closes before its trap has taken it: the trap takes it then, and the fading dialog drops it.
 * @param inside a part of the dialog
 */
export function useFocusReturn(isOpen: boolean, inside: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    return () => {
      // After what the trap of the dialog has put off.
      setTimeout(() => {
        const now = document.activeElement;
        const fading = inside.current?.closest('[role="dialog"]');
        const isFree = now === null || now === document.body || fading?.contains(now) === true;
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    };
  }, [isOpen, inside]);
}

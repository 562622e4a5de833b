import { useSyncExternalStore } from 'react';

/** What the keyboard opens over any screen. Not in the address: it is gone as soon as something was chosen. */
export type Command = 'palette' | 'shortcuts';

let open: Command | undefined;
/** What was typed since the palette was called and before its field was there; undefined when nothing waits for it. */
let typed: string | undefined;
const listeners = new Set<() => void>();

export function openCommand(command: Command | undefined): void {
  if (command !== open) typed = command === 'palette' ? '' : undefined;
  open = command;
  for (const listener of listeners) listener();
}

export function useOpenCommand(): Command | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}

/** Keeps a key for the palette that is on its way. @returns whether there is one */
export function typeAhead(key: string): boolean {
  if (typed === undefined || (key.length > 1 && key !== 'Backspace')) return false;
  typed = key.length > 1 ? typed.slice(0, -1) : typed + key;
  return true;
}

/** What the palette begins with. Keys are its own from here on. */
export function takeTyped(): string {
  const words = typed ?? '';
  typed = undefined;
  return words;
}

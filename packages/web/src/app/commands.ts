import { useSyncExternalStore } from 'react';

/** What the keyboard opens over any screen. Not in the address: it is gone as soon as something was chosen. */
export type Command = 'palette' | 'shortcuts';

let open: Command | undefined;
const listeners = new Set<() => void>();

export function openCommand(command: Command | undefined): void {
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

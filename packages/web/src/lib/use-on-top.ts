import { useEffect, useId, useSyncExternalStore } from 'react';

/** Dialogs that are open, the last one over the others. */
let open: readonly string[] = [];
const listeners = new Set<() => void>();

function change(next: readonly string[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether no other dialog lies over this one. Escape is for the topmost, and the one below keeps its draft. */
export function useOnTop(isOpen: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    change([...open, id]);
    // Not before the key that closes this one has been everywhere, or it would close the one below too.
    return () => void setTimeout(() => change(open.filter((other) => other !== id)));
  }, [isOpen, id]);
  const top = useSyncExternalStore(subscribe, () => open.at(-1));
  return top === undefined || top === id;
}

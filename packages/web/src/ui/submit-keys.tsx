import { Kbd } from '@mantine/core';
import type { KeyboardEvent } from 'react';

/** The keys that send a form, on its button. */
export function SubmitKeys() {
  return <Kbd aria-hidden>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘↵' : 'Ctrl ↵'}</Kbd>;
}

/** Sends the form around the field that has the focus. */
export function submitOnKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const form = event.currentTarget;
  // The keys of a dialog that was opened from the form come here too, through React's tree.
  if (!(event.target instanceof Node && form.contains(event.target))) return;
  event.preventDefault();
  if (event.repeat) return;
  // A list of words takes over the last of them at Enter, and the form must have been drawn with it.
  setTimeout(() => form.requestSubmit());
}

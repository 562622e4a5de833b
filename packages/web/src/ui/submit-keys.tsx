import { Kbd } from '@mantine/core';

/** The keys that send a form, on its button. */
export function SubmitKeys() {
  return <Kbd aria-hidden>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘↵' : 'Ctrl ↵'}</Kbd>;
}

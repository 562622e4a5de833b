const note = 'meta[name="visitor"]';

/**
 * Whether the server sent this page to somebody without a session. Asking who that is would be in vain, and browsers print
 * the 401 as an error.
 */
export function isKnownStranger(): boolean {
  return document.querySelector<HTMLMetaElement>(note)?.content === 'signed-out';
}

/** From the sign-in screen on, what was true of the page when it was sent may have changed. */
export function forgetStranger(): void {
  document.querySelector(note)?.remove();
}

/** The nonce with which the server's Content-Security-Policy lets styles in that are made at run time. */
export function readStyleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

import { type GitUrlKind, gitUrlKind } from '@signalbox/contract/git-url';

/** The chips of the form, in their order. */
export const urlKinds = ['git', 'file', 'ssh', 'http', 'https', 'local'] as const satisfies readonly GitUrlKind[];

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** The kind that an address is on the way to become: unfinished ones are told by their first characters. */
export function readUrlKind(url: string): GitUrlKind | undefined {
  const text = url.trim();
  const begun = urlKinds.find((kind) => kind !== 'local' && text.toLowerCase().startsWith(`${kind}://`));
  return gitUrlKind(text) ?? begun;
}

/** The address with the beginning of another kind: what names the place is kept, local paths get their slash. */
export function rewriteUrl(url: string, kind: GitUrlKind): string {
  const text = url.trim();
  // user@host:path has no scheme; its colon is a slash everywhere else.
  const isScp = !scheme.test(text) && /^[^/:]+@?[^/:]*:/.test(text);
  const place = (isScp ? text.replace(':', '/') : text.replace(scheme, '')).replace(/^\/+/, '');
  switch (kind) {
    case 'local':
      return `/${place}`;
    case 'file':
      return `file:///${place}`;
    default:
      return `${kind}://${place}`;
  }
}

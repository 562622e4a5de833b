/** The kinds of repository address that can be used. */
export type GitUrlKind = 'local' | 'file' | 'ssh' | 'git' | 'http' | 'https';

const schemes = ['git', 'file', 'ssh', 'http', 'https'] as const;

/**
 * The kind of a repository address, or undefined where it must be refused. A leading slash is a local path, no scheme
 * is the scp form of ssh (`user@host:path`). Anything that git could read as an option or as a remote program
 * (`-x`, `ext::sh -c …`) is no address.
 */
export function gitUrlKind(url: string): GitUrlKind | undefined {
  if (url === '' || url.startsWith('-') || /[\s\0]/.test(url)) return undefined;
  if (url.startsWith('/')) return 'local';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) {
    const kind = schemes.find((known) => known === scheme);
    // A host that begins with a dash would be an option of ssh.
    const host = url.slice(scheme.length + 3).replace(/^[^/@]*@/, '');
    return host.startsWith('-') || host === '' ? undefined : kind;
  }
  if (url.includes('::')) return undefined;
  const scp = /^(?:[^@/:]+@)?([^@/:-][^@/:]*):(?!-)[^:].*$/.exec(url);
  return scp === null || url.startsWith('-') ? undefined : 'ssh';
}

/** Whether the address carries a password, which everybody who sees the repository would see. */
export function hasPassword(url: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*:[^/]*@/.test(url);
}

/** Whether git takes the text as a branch name (the rules of git-check-ref-format), and never as an option. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name.startsWith('-') || name.startsWith('/') || name.endsWith('/')) return false;
  if (name.endsWith('.') || name.includes('..') || name.includes('//') || name.includes('@{')) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what git refuses
  if (/[\u0000-\u0020\u007f~^:?*[\\]/.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

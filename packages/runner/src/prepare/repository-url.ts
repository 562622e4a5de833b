import { TaskFailure } from '../task-failure.ts';

/** Where a repository is, after its text was checked. Nothing else ever reaches git. */
export type RepositoryLocation =
  | { kind: 'local'; path: string }
  | {
      kind: 'remote';
      scheme: 'git' | 'ssh' | 'http' | 'https';
      /** Without a name and password: those would stand in the process list and in .git/config. */
      url: string;
      /** `https://host:port`: where a password may be sent. */
      origin: string;
      user: string | null;
      password: string | null;
    };

const remoteSchemes = ['git', 'ssh', 'http', 'https'] as const;
type RemoteScheme = (typeof remoteSchemes)[number];
const scpForm = /^(?:(?<user>[^@:/\s]+)@)?(?<host>[^:/\s[\]]+|\[[0-9A-Fa-f:.]+\]):(?<path>[^:].*)$/;

function isRemoteScheme(text: string): text is RemoteScheme {
  return (remoteSchemes as readonly string[]).includes(text);
}

function hasControlCharacter(text: string): boolean {
  for (const character of text) if (character < ' ' || character === '\u007f') return true;
  return false;
}

function refuse(why: string): never {
  throw new TaskFailure(`The repository's URL is refused: ${why}`);
}

/** @throws TaskFailure */
export function parseRepositoryUrl(url: string): RepositoryLocation {
  if (url === '') refuse('it is empty');
  if (url.startsWith('-')) refuse('it begins with a dash');
  if (hasControlCharacter(url)) refuse('it holds a control character');
  if (url.startsWith('/')) return { kind: 'local', path: url };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'file') return parseFileUrl(url);
  if (scheme !== undefined) {
    if (!isRemoteScheme(scheme)) refuse(`"${scheme}" is not one of git, ssh, http, https and file`);
    return parseRemote(url, scheme);
  }
  if (/^[^/]*::/.test(url) && !url.includes('[')) refuse('remote helpers are not allowed');
  return parseScpForm(url);
}

function parseFileUrl(url: string): RepositoryLocation {
  if (!URL.canParse(url)) refuse('it is not a URL');
  const { host, pathname } = new URL(url);
  if (host !== '' && host !== 'localhost') refuse('a file URL has no host');
  try {
    return { kind: 'local', path: decodeURIComponent(pathname) };
  } catch {
    return refuse('it is not a URL');
  }
}

function parseRemote(text: string, scheme: RemoteScheme): RepositoryLocation {
  if (!URL.canParse(text)) refuse('it is not a URL');
  const url = new URL(text);
  if (/%(?![0-9A-Fa-f]{2})/.test(`${url.username}${url.password}`)) refuse('its user or password is not encoded');
  if (url.hostname === '' || url.hostname.startsWith('-')) refuse('it has no usable host');
  if (decodeURIComponent(url.username).startsWith('-')) refuse('its user begins with a dash');
  if (url.pathname.startsWith('/-')) refuse('its path begins with a dash');
  const user = url.username === '' ? null : decodeURIComponent(url.username);
  const password = url.password === '' ? null : decodeURIComponent(url.password);
  const origin = `${scheme}://${url.host}`;
  if (scheme === 'http' || scheme === 'https') {
    url.username = '';
    url.password = '';
    return { kind: 'remote', scheme, url: url.href, origin, user, password };
  }
  if (password !== null) refuse(`a password cannot be part of a ${scheme} URL`);
  return { kind: 'remote', scheme, url: text, origin, user, password };
}

function parseScpForm(text: string): RepositoryLocation {
  const { user, host, path } = scpForm.exec(text)?.groups ?? {};
  if (host === undefined || path === undefined) refuse('it is neither a URL nor an absolute path');
  if (host.startsWith('-') || user?.startsWith('-') || path.startsWith('-')) refuse('a part of it begins with a dash');
  return { kind: 'remote', scheme: 'ssh', url: text, origin: `ssh://${host}`, user: user ?? null, password: null };
}

const forbiddenInRef = /[\s~^:?*[\\\u007f]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)/;

/** A name that git takes as a branch or tag, and never as an option or an expression. @throws TaskFailure */
export function checkBranchName(name: string): void {
  const isBad =
    name === '' ||
    name === '@' ||
    /^[-./]/.test(name) ||
    /[./]$/.test(name) ||
    hasControlCharacter(name) ||
    forbiddenInRef.test(name);
  if (isBad) throw new TaskFailure(`"${name}" is not the name of a branch`);
}

/** @throws TaskFailure */
export function checkCommitHash(hash: string): void {
  if (!/^[0-9a-f]{7,64}$/i.test(hash)) throw new TaskFailure(`"${hash}" is not the hash of a commit`);
}

/**
 * Where to go after signing in. The address was written by whoever sent the link, so only a path of this console is
 * taken: anything that a browser could read as another host becomes the start page.
 */
export function readReturnPath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return '/';
  if (/^\/[/\\]/.test(path) || /[\\\p{Cc}]/u.test(path)) return '/';
  return path === '/auth/login' || path.startsWith('/auth/') ? '/' : path;
}

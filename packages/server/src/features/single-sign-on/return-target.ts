const anywhere = 'http://own.invalid';
/** It travels in a cookie. */
const longest = 1024;

/**
 * Where a sign-in leads, below the base path: the path that was asked for, with every other member of the query that it
 * began with. Only a path of the console: whatever a browser could read as another host, and what would sign in again,
 * becomes the start page.
 */
export function readReturnTarget(query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of ['redirect', 'return', 'error']) rest.delete(name);
  const url = parseOwn(query.get('redirect') ?? query.get('return') ?? '/');
  for (const [name, value] of rest) url.searchParams.append(name, value);
  const target = `${url.pathname}${url.search}${url.hash}`;
  return target.length > longest ? '/' : target;
}

function parseOwn(path: string): URL {
  const start = new URL('/', anywhere);
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return start;
  const url = URL.parse(path, anywhere);
  if (url === null || url.origin !== anywhere) return start;
  // Dots are resolved by now: "/.//host" has become "//host".
  const isOwn = !url.pathname.startsWith('//') && !/^\/(api|auth)(\/|$)/.test(url.pathname);
  return isOwn ? url : start;
}

/** The sign-in screen, with the reason, and with what leads back once it works. */
export function failureTarget(target: string, reason: string): string {
  const { pathname, searchParams } = new URL(target, anywhere);
  const query = new URLSearchParams(searchParams);
  if (pathname !== '/') query.set('return', pathname);
  query.set('error', reason);
  return `/auth/login?${query}`;
}

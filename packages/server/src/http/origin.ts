/** Whether an Origin header names this server: the public URL where one is set, else the host that was asked for. */
export function hasOrigin(origin: string, webHost: URL | undefined, host: string | undefined): boolean {
  if (webHost !== undefined) return origin.toLowerCase() === webHost.origin;
  const url = URL.parse(origin);
  // `null`, and anything that is more than scheme and host, is foreign.
  if (url === null || url.origin === 'null' || host === undefined) return false;
  return url.origin === origin.toLowerCase() && url.host === URL.parse(`${url.protocol}//${host}`)?.host;
}

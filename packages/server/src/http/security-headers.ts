import type { FastifyReply, FastifyRequest } from 'fastify';

/** The policy of every answer. Pages add the nonce of their styles. */
export function createPolicy(sockets: string, nonce?: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${sockets === '' ? '' : ` ${sockets}`}`,
    "frame-ancestors 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ');
}

/** Where websockets may go: older browsers do not count them as 'self'. */
export function socketSource(webHost: URL | undefined, host: string | undefined): string {
  if (webHost !== undefined) return `${webHost.protocol === 'https:' ? 'wss' : 'ws'}://${webHost.host}`;
  // The header is the client's own text: only what looks like a host may get into the policy.
  return host !== undefined && /^[A-Za-z0-9.[\]:-]{1,255}$/.test(host) ? `ws://${host}` : '';
}

export function createSecurityHeaders(http: { webHost: URL | undefined; apiPath: string }) {
  const isHttps = http.webHost?.protocol === 'https:';
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    void reply.headers({
      'content-security-policy': createPolicy(socketSource(http.webHost, request.headers.host)),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // Not no-referrer: with it browsers send "Origin: null" for forms, and the Origin rule would refuse our own.
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    });
    // Browsers ignore it without TLS, with a complaint on the console.
    if (isHttps) void reply.header('cross-origin-opener-policy', 'same-origin');
    if (request.url.startsWith(`${http.apiPath}/`)) void reply.header('cache-control', 'no-store');
    done();
  };
}

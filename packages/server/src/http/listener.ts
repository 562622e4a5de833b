import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { StartRefusal } from '../db/start-refusal.ts';

/**
 * Takes the port before anything is written, so that a second server changes nothing. Until the routes are there it tells
 * callers to come again.
 */
export async function bindServer(listen: { host: string; port: number }): Promise<Server> {
  const server = createServer({ requestTimeout: 300_000, headersTimeout: 60_000, keepAliveTimeout: 72_000 });
  server.on('request', (_request, response) => {
    response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ error: 'The server is starting', code: 'unavailable' }));
  });
  try {
    server.listen(listen.port, listen.host);
    await once(server, 'listening');
    return server;
  } catch (error) {
    const address = `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
    throw new StartRefusal(`SIGNALBOX_LISTEN: ${address} ${whyNot(error)}.`, { cause: error });
  }
}

function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'is in use by another program';
  if (code === 'EACCES') return 'needs more rights than this user has';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'is no address of this machine';
  return 'cannot be listened on';
}

/** The port that was taken: the one that was asked for, or the system's choice for 0. */
export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** No new connections; open requests get time to end. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

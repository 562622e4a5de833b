import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestServer, type TestServer } from '../start-test-server.ts';

/** Nobody listens there: what is asked of a provider before the first call to it is asked of us. */
const nowhere = 'http://127.0.0.1:9';
const acme = {
  client_id: 'signalbox',
  client_secret: 'swordfish',
  endpoint: { issuer: nowhere, auth: `${nowhere}/auth`, token: `${nowhere}/token`, jwks: `${nowhere}/keys` },
};

/**
 * A server on which every route has something to answer, without a runner: that one is answered for. It listens, and its
 * console is one empty page.
 */
export async function startApiServer(): Promise<TestServer> {
  const consoleDirectory = await mkdtemp(path.join(tmpdir(), 'signalbox-console-'));
  await writeFile(path.join(consoleDirectory, 'index.html'), '<!doctype html><base href="/" />');
  const server = await startTestServer({
    env: { SIGNALBOX_WEB_HOST: 'http://localhost', SIGNALBOX_OIDC_PROVIDERS: JSON.stringify({ acme }) },
    engine: { askRunner: async () => ({ ok: true, text: 'c'.repeat(40) }) },
    consoleDirectory,
  });
  await server.http.fastify.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...server,
    stop: async () => {
      server.http.fastify.server.closeAllConnections();
      await server.stop();
      await rm(consoleDirectory, { recursive: true });
    },
  };
}

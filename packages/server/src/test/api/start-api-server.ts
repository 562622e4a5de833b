import { startTestServer, type TestServer } from '../start-test-server.ts';

/** Nobody listens there: what is asked of a provider before the first call to it is asked of us. */
const nowhere = 'http://127.0.0.1:9';
const acme = {
  client_id: 'signalbox',
  client_secret: 'swordfish',
  endpoint: { issuer: nowhere, auth: `${nowhere}/auth`, token: `${nowhere}/token`, jwks: `${nowhere}/keys` },
};

/** A server on which every route has something to answer, without a runner: that one is answered for. It listens. */
export async function startApiServer(): Promise<TestServer> {
  const server = await startTestServer({
    env: { SIGNALBOX_WEB_HOST: 'http://localhost', SIGNALBOX_OIDC_PROVIDERS: JSON.stringify({ acme }) },
    engine: { askRunner: async () => ({ ok: true, text: 'c'.repeat(40) }) },
  });
  await server.http.fastify.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...server,
    stop: () => {
      server.http.fastify.server.closeAllConnections();
      return server.stop();
    },
  };
}

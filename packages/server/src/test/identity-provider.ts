import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export type TestAccount = { sub: string } & Record<string, unknown>;

/** A certified OpenID Connect provider on loopback, whose sign-in form is always filled in at once. */
export type IdentityProvider = {
  readonly issuer: string;
  /** Who signs in next; null: the person there says no. */
  account: TestAccount | null;
  /** Requests so far, to tell whether somebody asked it at all. */
  requests: string[];
  stop(): Promise<void>;
};

export const clientId = 'signalbox';
export const clientSecret = 'a-secret-of-the-client';

type ProviderOptions = {
  redirectUris: readonly string[];
  /** Claims go into the id token too, not only to the userinfo endpoint. */
  fullIdToken?: boolean;
};

export async function startIdentityProvider({
  redirectUris,
  fullIdToken = false,
}: ProviderOptions): Promise<IdentityProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const idp: IdentityProvider = { issuer, account: null, requests: [], stop: () => stopServer(server) };
  const provider = createProvider(idp, redirectUris, fullIdToken);
  const handle = provider.callback();
  server.on('request', (request, response) => {
    idp.requests.push(`${request.method} ${request.url?.split('?', 1)[0]}`);
    if (request.url?.startsWith('/interaction/') !== true) return void handle(request, response);
    // The form of a real provider: name and password are taken for granted here.
    const result =
      idp.account === null
        ? { error: 'access_denied', error_description: 'The person said no' }
        : { login: { accountId: idp.account.sub } };
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false }).catch((error) => {
      response.writeHead(500).end(String(error));
    });
  });
  return idp;
}

function createProvider(idp: IdentityProvider, redirectUris: readonly string[], fullIdToken: boolean): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(idp.issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'groups', 'department', 'realm_access'],
    },
    conformIdTokenClaims: !fullIdToken,
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...idp.account, sub }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: idp.issuer }] },
    // It would take a sign-in without a challenge: that must not help anybody.
    pkce: { required: () => false },
    // Whoever signs in agrees to everything.
    loadExistingGrant: async (context) => {
      const { client, session, provider } = context.oidc;
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
}

async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

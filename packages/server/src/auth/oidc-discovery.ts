import * as oidc from 'openid-client';
import type { OidcProviderSettings } from '../config-oidc.ts';

const timeoutSeconds = 10;

/** What a provider says about itself, or what the settings say about it, and how it is to be talked to. */
export async function findConfiguration(provider: OidcProviderSettings): Promise<oidc.Configuration> {
  const { clientId, clientSecret, source } = provider;
  const configuration =
    'discover' in source
      ? await discover(new URL(source.discover), provider)
      : new oidc.Configuration(describeServer(source.endpoint), clientId, undefined, authenticate(clientSecret));
  configuration.timeout = timeoutSeconds;
  const { jwks_uri: keys, id_token_signing_alg_values_supported: algorithms } = configuration.serverMetadata();
  if ('endpoint' in source && isClearText(source.endpoint.token)) oidc.allowInsecureRequests(configuration);
  // Tokens come over TLS from the provider itself; their signatures are checked as well wherever it has public keys.
  if (keys !== undefined && algorithms?.every((algorithm) => algorithm.startsWith('HS')) !== true) {
    oidc.enableNonRepudiationChecks(configuration);
  }
  return configuration;
}

function discover(issuer: URL, { clientId, clientSecret }: OidcProviderSettings): Promise<oidc.Configuration> {
  // The settings take http only for loopback addresses.
  const execute = isClearText(issuer.href) ? [oidc.allowInsecureRequests] : [];
  return oidc.discovery(issuer, clientId, undefined, authenticate(clientSecret), { execute, timeout: timeoutSeconds });
}

const isClearText = (url: string): boolean => url.startsWith('http:');

/** In the header, as the standard prefers, unless the provider says that it takes the secret in the body only. */
function authenticate(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const inHeader = oidc.ClientSecretBasic(secret);
  const inBody = oidc.ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const takesBodyOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    (takesBodyOnly ? inBody : inHeader)(server, client, body, headers);
  };
}

type Endpoint = Extract<OidcProviderSettings['source'], { endpoint: unknown }>['endpoint'];

function describeServer({ issuer, auth, token, userinfo, jwks, algorithms }: Endpoint): oidc.ServerMetadata {
  return {
    issuer,
    authorization_endpoint: auth,
    token_endpoint: token,
    ...(userinfo === undefined ? {} : { userinfo_endpoint: userinfo }),
    ...(jwks === undefined ? {} : { jwks_uri: jwks }),
    ...(algorithms === undefined ? {} : { id_token_signing_alg_values_supported: algorithms }),
  };
}

import * as oidc from 'openid-client';
import type { OidcProviderSettings } from '../config-oidc.ts';
import { type Claims, hasClaim, readClaim, readClaimValues } from './claims.ts';
import type { ProvedPerson } from './external-sign-in.ts';
import type { FindConfiguration } from './oidc-configurations.ts';

/** What only the browser that began and this server know, until the provider sends it back. */
export type OidcSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Begins a sign-in: the address of the provider to go to. */
export async function beginOidc(
  find: FindConfiguration,
  provider: OidcProviderSettings,
  redirectUri: string,
): Promise<{ url: string; secrets: OidcSecrets }> {
  const configuration = await find(provider);
  const secrets = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: provider.scopes.join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, secrets };
}

/**
 * Ends it: exchanges the code and checks the id token (issuer, audience, times, nonce, signature).
 *
 * @param returned the redirect URI of the begin, with the query that the provider sent the browser back with
 * @param asked claims that rules look at
 * @throws errors of openid-client
 */
export async function finishOidc(
  find: FindConfiguration,
  provider: OidcProviderSettings,
  returned: { url: URL; secrets: OidcSecrets },
  asked: readonly string[],
): Promise<ProvedPerson> {
  const configuration = await find(provider);
  const { state, nonce, verifier } = returned.secrets;
  const tokens = await oidc.authorizationCodeGrant(configuration, returned.url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new Error('The provider sent no id token');
  const claims = await completeClaims(configuration, provider, { ...idToken }, { token: tokens.access_token, asked });
  return toPerson(provider, idToken, claims);
}

/** Many providers keep the id token short: what is missing is asked for where they tell the rest. */
async function completeClaims(
  configuration: oidc.Configuration,
  provider: OidcProviderSettings,
  claims: Claims & { sub: string },
  { token, asked }: { token: string; asked: readonly string[] },
): Promise<Claims> {
  const isComplete =
    [provider.emailClaim, provider.usernameClaim, provider.nameClaim].every(
      (setting) => readClaim(setting, claims) !== undefined,
    ) && asked.every((name) => hasClaim(name, claims));
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  // It refuses an answer about anybody else.
  return { ...(await oidc.fetchUserInfo(configuration, token, claims.sub)), ...claims };
}

function toPerson(provider: OidcProviderSettings, { iss, sub }: oidc.IDToken, claims: Claims): ProvedPerson {
  const email = readClaim(provider.emailClaim, claims);
  const isEmailRefuted = email !== undefined && email === claims.email && String(claims.email_verified) === 'false';
  return {
    person: {
      issuer: iss,
      subject: sub,
      username: readClaim(provider.usernameClaim, claims),
      name: readClaim(provider.nameClaim, claims),
      email: isEmailRefuted ? undefined : email,
      isEmailRefuted,
    },
    evidence: {
      provider: provider.id,
      claims,
      groups: readClaimValues(provider.groupsClaim, claims),
      isSameGroup: (one, other) => one === other,
    },
    via: provider.name,
  };
}

/** What the log may know of a failure: what the provider answered, and nothing that could be used again. */
export function describeOidcFailure(error: unknown): { denied: boolean; unavailable: boolean; fields: object } {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    const { error: code, error_description: description } = error;
    const unavailable = code === 'temporarily_unavailable' || code === 'server_error';
    return { denied: code === 'access_denied', unavailable, fields: { code, description: description?.slice(0, 500) } };
  }
  return { denied: false, unavailable: isUnreachable(error), fields: {} };
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error || ('code' in error && error.code === 'OAUTH_TIMEOUT')) return true;
  return isUnreachable(error.cause);
}

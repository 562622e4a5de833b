import type { OidcProvider } from '@signalbox/contract/auth';
import { type SignInFailure, signInFailures } from '@signalbox/contract/single-sign-on';
import type { Caller } from '../../auth/begin-session.ts';
import { type ExternalSignIn, signInExternal } from '../../auth/external-sign-in.ts';
import type { FindConfiguration } from '../../auth/oidc-configurations.ts';
import { openPending, type PendingSignIn, sealPending, useOnce } from '../../auth/pending-sign-in.ts';
import { listAskedClaims } from '../../auth/role-rules.ts';
import type { OidcProviderSettings } from '../../config-oidc.ts';
import { AppError } from '../../errors.ts';
import { failureTarget, readReturnTarget } from './return-target.ts';

export type SingleSignOn = ExternalSignIn & {
  readonly providers: readonly OidcProviderSettings[];
  readonly findConfiguration: FindConfiguration;
};

/** For the buttons of the sign-in screen. */
export function listProviders(providers: readonly OidcProviderSettings[]): OidcProvider[] {
  return providers.map(({ id, name, color, icon }) => ({ id, name, color, icon }));
}

/** The library is loaded for the first who signs in with a provider: most installations have none. */
const loadOidc = () => import('../../auth/oidc.ts');

export function requireProvider({ providers }: SingleSignOn, id: string): OidcProviderSettings {
  const provider = providers.find((known) => known.id === id);
  if (provider === undefined) throw new AppError('not_found', 'There is no such sign-in provider');
  return provider;
}

/** Where to send the browser, and what it keeps meanwhile; or where it goes when the sign-in has failed already. */
export async function beginSignIn(
  sso: SingleSignOn,
  provider: OidcProviderSettings,
  redirectUri: string,
  query: URLSearchParams,
): Promise<{ location: string; cookie: string } | { failure: string }> {
  const target = readReturnTarget(query);
  try {
    const { beginOidc } = await loadOidc();
    const { url, secrets } = await beginOidc(sso.findConfiguration, provider, redirectUri);
    const { keyring } = sso.database;
    return {
      location: url,
      cookie: sealPending(keyring, provider.id, { ...secrets, redirectUri, target }, Date.now()),
    };
  } catch (error) {
    await logFailure(sso, provider, 'sso_unavailable', error);
    return { failure: failureTarget(target, 'sso_unavailable') };
  }
}

/** Where a finished sign-in leads, below the base path, and the session's cookie where it was a good one. */
export async function finishSignIn(
  sso: SingleSignOn,
  provider: OidcProviderSettings,
  returned: { query: URLSearchParams; cookie: string | undefined },
  caller: Caller,
): Promise<{ target: string; token: string | undefined }> {
  const { database } = sso;
  const pending = openPending(database.keyring, provider.id, returned.cookie, Date.now());
  if (pending === undefined || returned.query.get('state') !== pending.state) {
    await logFailure(sso, provider, 'sso_expired', undefined);
    return { target: failureTarget('/', 'sso_expired'), token: undefined };
  }
  try {
    const token = await exchange(sso, provider, pending, { query: returned.query, caller });
    return { target: pending.target, token };
  } catch (error) {
    const reason = await readReason(error);
    await logFailure(sso, provider, reason, error);
    return { target: failureTarget(pending.target, reason), token: undefined };
  }
}

async function exchange(
  sso: SingleSignOn,
  provider: OidcProviderSettings,
  { redirectUri, ...secrets }: PendingSignIn,
  { query, caller }: { query: URLSearchParams; caller: Caller },
): Promise<string> {
  const url = new URL(redirectUri);
  url.search = query.toString();
  const asked = listAskedClaims(sso.rules, provider.id, provider.groupsClaim);
  const { finishOidc } = await loadOidc();
  const proved = await finishOidc(sso.findConfiguration, provider, { url, secrets }, asked);
  return signInExternal(sso, proved, caller, (db) => useOnce(db, secrets.state, Date.now()));
}

async function readReason(error: unknown): Promise<SignInFailure> {
  if (error instanceof AppError) {
    const { details } = error;
    const reason = typeof details === 'object' && details !== null && 'reason' in details ? details.reason : undefined;
    return signInFailures.find((known) => known === reason) ?? 'sso_failed';
  }
  const { describeOidcFailure } = await loadOidc();
  const { denied, unavailable } = describeOidcFailure(error);
  return denied ? 'sso_denied' : unavailable ? 'sso_unavailable' : 'sso_failed';
}

/** The person is told a code only: what providers say is for operators, and anybody may write an address. */
async function logFailure(
  { log }: SingleSignOn,
  provider: OidcProviderSettings,
  reason: SignInFailure,
  error: unknown,
): Promise<void> {
  const { describeOidcFailure } = await loadOidc();
  const fields = { provider: provider.id, reason, ...describeOidcFailure(error).fields };
  log.warn('A sign-in with a provider failed', error === undefined ? fields : { ...fields, cause: error });
}

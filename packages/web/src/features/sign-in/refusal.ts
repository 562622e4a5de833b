import { type SignInFailure, signInFailures } from '@signalbox/contract/single-sign-on';
import { ApiError, describeError, isUnverified } from '../../lib/failure.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';

const failures: Record<SignInFailure, MessageKey> = {
  sso_failed: 'signIn.ssoFailed',
  sso_denied: 'signIn.ssoDenied',
  sso_expired: 'signIn.ssoExpired',
  sso_unavailable: 'signIn.ssoUnavailable',
  sso_no_email: 'signIn.ssoNoEmail',
  sso_email_unverified: 'signIn.ssoEmailUnverified',
  sso_email_taken: 'signIn.ssoEmailTaken',
};

/** Why a sign-in with a provider failed. Anybody may write an address, so a code that is not known says no more than that. */
export function wordFailure(code: string): string {
  return t(failures[signInFailures.find((known) => known === code) ?? 'sso_failed']);
}

/** The words for a refused step of a sign-in; `wrong` says what a wrong entry is. */
export function wordRefusal(error: unknown, wrong: MessageKey): string {
  if (error instanceof ApiError && error.status === 401) {
    return t(error.code === 'wrong_credentials' || isUnverified(error) ? wrong : 'signIn.over');
  }
  if (error instanceof ApiError && error.status === 429) return t('signIn.tooMany');
  return describeError(error);
}

import { t } from './i18n.ts';

/** A request that did not succeed. `message` is a sentence for a person, `code` is for programs. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(failure: { status: number; code: string; message: string; details?: unknown; cause?: unknown }) {
    super(failure.message, { cause: failure.cause });
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details;
  }
}

/** The words for a failure of any kind. */
export function describeError(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : t('api.unknown');
}

/** Somebody has shown his password, and still has to show the code of the second step. */
export function isUnverified(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'TOTP_REQUIRED';
}

/** Nobody is signed in any more: neither a wrong password nor a code that is still asked for. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'wrong_credentials';
}

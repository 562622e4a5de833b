import * as z from 'zod/mini';
import type { Db } from '../db/database.ts';
import type { Keyring } from '../db/secrets.ts';
import { AppError } from '../errors.ts';
import { hashToken } from './tokens.ts';

const lifeMs = 600_000;

/** A sign-in that is under way at a provider, as the browser keeps it. */
const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** Where to go afterwards, below the base path. */
  target: z.string(),
  expires: z.number(),
});
export type PendingSignIn = Omit<z.infer<typeof Pending>, 'expires'>;

export const pendingSeconds = lifeMs / 1000;

const placeOf = (provider: string) => ({ table: 'pending_sign_in', column: 'cookie', id: provider });

/**
 * The browser that began a sign-in keeps it, sealed: so a start writes nothing here, whoever asks for a thousand of them,
 * and any of several servers can finish what another began.
 */
export function sealPending(keyring: Keyring, provider: string, pending: PendingSignIn, now: number): string {
  return keyring.seal(JSON.stringify({ ...pending, expires: now + lifeMs }), placeOf(provider));
}

/** Undefined for whatever no server of ours sealed for this provider within the last ten minutes. */
export function openPending(
  keyring: Keyring,
  provider: string,
  cookie: string | undefined,
  now: number,
): PendingSignIn | undefined {
  if (cookie === undefined) return undefined;
  try {
    const pending = z.parse(Pending, JSON.parse(keyring.open(cookie, placeOf(provider))));
    return pending.expires > now ? pending : undefined;
  } catch {
    return undefined; // a cookie is any text; one that is not ours says nothing
  }
}

/** A copy of the cookie finishes nothing twice. @throws AppError wrong_credentials for a state that was used before */
export async function useOnce(db: Db, state: string, now: number): Promise<void> {
  await db
    .deleteFrom('used_sign_in')
    .where('created', '<=', now - lifeMs)
    .execute();
  const used = await db
    .insertInto('used_sign_in')
    .values({ state_hash: hashToken(state), created: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('created')
    .executeTakeFirst();
  if (used !== undefined) return;
  throw new AppError('wrong_credentials', 'This sign-in was finished already', { reason: 'sso_expired' });
}

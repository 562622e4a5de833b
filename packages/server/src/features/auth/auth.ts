import type { Credentials, LoginOptions } from '@signalbox/contract/auth';
import { beginSession, type Caller } from '../../auth/begin-session.ts';
import { countAttempt, forgiveAttempt } from '../../auth/login-limits.ts';
import { endSession } from '../../auth/sessions.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { checkPassword } from '../users/users.ts';

export type LoginRules = { readonly passwordLogin: boolean };

export function describeLogin(rules: LoginRules): LoginOptions {
  return { oidc_providers: [], login_with_password: rules.passwordLogin, auth_methods: {} };
}

/** Signs in and returns the value of the session's cookie. */
export async function signIn(
  database: Database,
  rules: LoginRules,
  credentials: Credentials,
  caller: Caller,
): Promise<string> {
  if (!rules.passwordLogin) throw new AppError('forbidden', 'Signing in with a password is switched off');
  const { auth, password } = credentials;
  const attempt = await countAttempt(database, auth, caller.address, Date.now());
  const userId = await checkPassword(database, auth, password);
  if (userId === undefined) throw new AppError('wrong_credentials', 'User name or password is wrong');
  return database.transact(async (db) => {
    await forgiveAttempt(db, attempt);
    return beginSession(db, userId, caller, 'Signed in');
  });
}

export async function signOut(database: Database, token: string | undefined): Promise<void> {
  if (token !== undefined) await database.transact((db) => endSession(db, token));
}

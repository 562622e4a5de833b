import type { AuthMethods, Credentials, LoginOptions } from '@signalbox/contract/auth';
import { beginSession, type Caller } from '../../auth/begin-session.ts';
import type { ExternalSignIn } from '../../auth/external-sign-in.ts';
import { isLocalLogin, signInWithDirectory } from '../../auth/ldap-sign-in.ts';
import { countAttempt, countEntryAttempt, forgiveAttempt } from '../../auth/login-limits.ts';
import { endSession } from '../../auth/sessions.ts';
import type { DirectorySettings } from '../../config-ldap.ts';
import type { OidcProviderSettings } from '../../config-oidc.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { listProviders } from '../single-sign-on/single-sign-on.ts';
import { checkPassword, nameAccount } from '../users/users.ts';

export type LoginRules = {
  readonly passwordLogin: boolean;
  readonly authMethods: AuthMethods;
  readonly demoMode: boolean;
  /** Shown to everybody in a demo, and to nobody else. */
  readonly demoAccount: { readonly login: string; readonly password: string };
  readonly signIn: {
    readonly providers: readonly OidcProviderSettings[];
    readonly directory: DirectorySettings | undefined;
  };
};

export function describeLogin(rules: LoginRules): LoginOptions {
  return {
    oidc_providers: listProviders(rules.signIn.providers),
    login_with_password: rules.passwordLogin,
    auth_methods: rules.authMethods,
    ...(rules.demoMode ? { demo: rules.demoAccount } : {}),
  };
}

/**
 * Signs in and returns the value of the session's cookie. Whom the directory knows signs in with the password there, and
 * with no other; everybody else with a password of ours.
 */
export async function signIn(
  outside: ExternalSignIn,
  rules: LoginRules,
  credentials: Credentials,
  caller: Caller,
): Promise<string> {
  if (!rules.passwordLogin) throw new AppError('forbidden', 'Signing in with a password is switched off');
  const { auth: login, password } = credentials;
  const { database } = outside;
  const account = await nameAccount(database.read, login);
  const attempts = [await countAttempt(database, account, caller.address, Date.now())];
  const beforePassword = async (dn: string): Promise<void> => {
    attempts.push(await countEntryAttempt(database, dn, Date.now()));
  };
  const forgive = async (db: Db): Promise<void> => {
    for (const attempt of attempts) await forgiveAttempt(db, attempt);
  };
  const { directory } = rules.signIn;
  const outcome =
    directory === undefined
      ? { kind: 'unknown' as const }
      : await signInWithDirectory(outside, directory, { login, password, beforePassword }, caller, forgive);
  if (outcome.kind === 'signed_in') return outcome.token;
  if (outcome.kind === 'refused') throw wrongCredentials();
  return signInLocally(database, { login, password, isSilent: outcome.kind === 'silent' }, caller, forgive);
}

async function signInLocally(
  database: Database,
  { login, password, isSilent }: { login: string; password: string; isSilent: boolean },
  caller: Caller,
  forgive: (db: Db) => Promise<void>,
): Promise<string> {
  const userId = await checkPassword(database, login, password);
  if (userId !== undefined) {
    return database.transact(async (db) => {
      await forgive(db);
      return beginSession(db, userId, caller, 'Signed in');
    });
  }
  if (!isSilent || (await isLocalLogin(database.read, login))) throw wrongCredentials();
  // Nobody could tell whether it was the right password: that is no failure of whoever typed it.
  await database.transact(forgive);
  throw new AppError('unavailable', 'The directory does not answer; try again later');
}

function wrongCredentials(): AppError {
  return new AppError('wrong_credentials', 'User name or password is wrong');
}

/**
 * Returns who has signed out.
 * @param address of a person who asks for it; without one, a new session has taken the place of this one
 */
export async function signOut(
  database: Database,
  token: string | undefined,
  address?: string,
): Promise<number | undefined> {
  if (token === undefined) return undefined;
  return await database.transact(async (db) => {
    const userId = await endSession(db, token);
    if (userId === undefined || address === undefined) return userId;
    const entry = { projectId: null, objectType: 'user', objectId: userId, objectName: '', description: 'Signed out' };
    await recordEvent(db, { userId, address }, entry);
    return userId;
  });
}

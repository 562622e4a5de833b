import type { DirectorySettings } from '../config-ldap.ts';
import { directoryName } from '../config-sign-in.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './begin-session.ts';
import { type ExternalSignIn, signInExternal } from './external-sign-in.ts';
import type { DirectoryQuestion } from './ldap-directory.ts';
import { listCalled } from './login-names.ts';
import { listAskedClaims } from './role-rules.ts';

export type DirectoryOutcome =
  | { readonly kind: 'signed_in'; readonly token: string }
  | { readonly kind: 'refused' }
  /** Not in the directory. */
  | { readonly kind: 'unknown' }
  /** The directory does not say. */
  | { readonly kind: 'silent' };

/** Signs in whom the directory knows. @throws AppError for one who cannot be a user here, or has tried too often */
export async function signInWithDirectory(
  outside: ExternalSignIn,
  settings: DirectorySettings,
  question: Omit<DirectoryQuestion, 'asked'>,
  caller: Caller,
  before: (db: Db) => Promise<void>,
): Promise<DirectoryOutcome> {
  const { log, rules } = outside;
  const asked = listAskedClaims(rules, directoryName, settings.mapping.groups);
  // Loaded where there is a directory only.
  const { askDirectory } = await import('./ldap-directory.ts');
  const verdict = await askDirectory(settings, log, { ...question, asked }).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    log.error('The directory cannot be asked', { cause: error });
    return { kind: 'silent' } as const;
  });
  if (verdict.kind !== 'proved') return verdict;
  const { person } = verdict.proved;
  const token = await signInExternal(outside, verdict.proved, caller, async (db) => {
    for (const name of [question.login, person.username]) {
      if (name === undefined || !(await isLocalLogin(db, name))) continue;
      log.warn('A user of the directory has the login of a local user', { subject: person.subject });
      throw new AppError('wrong_credentials', 'A local user has this login');
    }
    await before(db);
  });
  return { kind: 'signed_in', token };
}

/** Whether somebody signs in with this text and a password of our own. */
export async function isLocalLogin(db: Db, login: string): Promise<boolean> {
  return (await listCalled(db, login)).some(({ external }) => !external);
}

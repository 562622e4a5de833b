import type { SignInRule } from '../config-sign-in.ts';
import type { Database, Db } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { beginSession, type Caller } from './begin-session.ts';
import { type ExternalPerson, takeExternalUser } from './external-users.ts';
import { lockPeople } from './people-lock.ts';
import { applyGrants } from './role-grants.ts';
import { chooseGrants, type Evidence } from './role-rules.ts';

/** What every way to sign in from outside needs here. */
export type ExternalSignIn = {
  readonly database: Database;
  readonly log: Logger;
  readonly rules: readonly SignInRule[];
  /** Told after a sign-in that changed rights, so that what is open is looked at again. */
  readonly onRightsChange: () => void;
};

export type ProvedPerson = {
  readonly person: ExternalPerson;
  readonly evidence: Evidence;
  /** What people call the provider. */
  readonly via: string;
};

/**
 * Signs in whom a provider or the directory has proved: finds or makes his user, gives and takes what the rules say, and
 * opens the session, all in one transaction. Returns the value of the session's cookie.
 *
 * @param before what must be done in the same transaction, and may refuse
 * @throws AppError wrong_credentials with the reason in its details
 */
export async function signInExternal(
  { database, log, rules, onRightsChange }: ExternalSignIn,
  { person, evidence, via }: ProvedPerson,
  caller: Caller,
  before: (db: Db) => Promise<void>,
): Promise<string> {
  const grants = chooseGrants(rules, evidence);
  const { token, hasChanged } = await database.transact(async (db) => {
    await lockPeople(db, database.engine);
    await before(db);
    const user = await takeExternalUser(db, person, via, caller);
    const actor = { userId: user.id, address: caller.address };
    return {
      hasChanged: await applyGrants({ db, log, user, actor }, grants),
      token: await beginSession(db, user.id, caller, `Signed in with ${via}`),
    };
  });
  if (hasChanged) onRightsChange();
  return token;
}

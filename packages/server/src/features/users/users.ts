import { randomBytes } from 'node:crypto';
import type { CurrentUser, User, UserName } from '@signalbox/contract/users';
import type { Actor } from '../../auth/actor.ts';
import { findLogin, foldName } from '../../auth/login-names.ts';
import { hashPassword, verifyPassword } from '../../auth/passwords.ts';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { findUser, hasUsers, insertUser, listUserNames, listUsers } from './queries.ts';

export async function describeCurrentUser(database: Database, actor: Actor, rules: ProjectRules): Promise<CurrentUser> {
  const user = await findUser(database.read, actor.userId);
  if (user === undefined) throw new AppError('unauthenticated', 'Sign in first');
  return { ...user, can_create_project: mayCreateProject(actor, rules) };
}

export async function requireUser(db: Db, id: number): Promise<User> {
  const user = await findUser(db, id);
  if (user === undefined) throw new AppError('not_found', 'There is no such user');
  return user;
}

/** Administrators see everything; the others what is needed to choose somebody by name. */
export function listKnownUsers(db: Db, actor: Actor): Promise<User[] | UserName[]> {
  return actor.admin ? listUsers(db) : listUserNames(db);
}

export type ProjectRules = { readonly nonAdminCanCreateProject: boolean };

export function mayCreateProject(actor: Pick<Actor, 'admin'>, rules: ProjectRules): boolean {
  return actor.admin || rules.nonAdminCanCreateProject;
}

/**
 * What wrong passwords are counted under: a user has one count for his user name and his e-mail address together. Nobody
 * can type the text of that count.
 */
export async function nameAccount(db: Db, auth: string): Promise<string> {
  const login = await findLogin(db, auth);
  return login === undefined ? auth : `\0user ${login.id}`;
}

/** The id of the user whose password this is. Unknown names cost as much time as known ones. */
export async function checkPassword(database: Database, auth: string, password: string): Promise<number | undefined> {
  const login = await findLogin(database.read, auth);
  const hash = login === undefined || login.external ? null : login.password;
  return (await verifyPassword(password, hash)) ? login?.id : undefined;
}

export type FirstAdministrator = { id: number; login: string; password: string; generated: boolean };

/** Creates the first administrator of an installation without users; undefined where there are some. */
export async function createFirstAdministrator(
  database: Database,
  wanted: { login: string; password: string | undefined },
): Promise<FirstAdministrator | undefined> {
  if (await hasUsers(database.read)) return undefined;
  const password = wanted.password ?? generatePassword();
  const hash = await hashPassword(password);
  const user = { username: foldName(wanted.login), name: 'Administrator', email: '', password: hash };
  try {
    return await database.transact(async (db) => {
      if (await hasUsers(db)) return undefined;
      const id = await insertUser(db, { ...user, admin: true, external: false, alert: false }, Date.now());
      return { id, login: user.username, password, generated: wanted.password === undefined };
    });
  } catch (error) {
    // Another server was faster.
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

/** 20 characters without those that look like others: 100 bits. */
function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return [...randomBytes(20)].map((byte) => letters.charAt(byte % letters.length)).join('');
}

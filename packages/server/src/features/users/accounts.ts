import { hashPassword } from '../../auth/passwords.ts';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { noActor, recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import {
  countOtherAdministrators,
  deleteUser,
  findLogin,
  insertUser,
  type Login,
  listOnlyOwned,
  updatePassword,
} from './queries.ts';

export type NewAccount = { login: string; name: string; email: string; password: string; admin: boolean };

/** Adds a user who signs in with a password. @throws AppError not_unique */
export async function addAccount(database: Database, account: NewAccount): Promise<void> {
  const password = await hashPassword(account.password);
  const { login, name, email, admin } = account;
  try {
    await database.transact(async (db) => {
      const user = { username: login.toLowerCase(), name, email, admin, password, external: false, alert: false };
      const id = await insertUser(db, user, Date.now());
      await recordChange(db, { id, username: user.username }, 'created');
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('not_unique', `There is a user with the login ${login} or the e-mail address ${email} already`);
  }
}

/** @throws AppError not_found, or conflict for a user whose password is kept elsewhere */
export async function changePassword(database: Database, login: string, password: string): Promise<void> {
  const hash = await hashPassword(password);
  await database.transact(async (db) => {
    const user = await requireLogin(db, login);
    if (user.external) throw new AppError('conflict', `${user.username} signs in elsewhere and has no password here`);
    await updatePassword(db, user.id, hash);
    await recordChange(db, user, 'got a new password');
  });
}

/** @throws AppError not_found, or conflict for the last administrator and the last owner of a project */
export async function removeAccount(database: Database, login: string): Promise<void> {
  await database.transact(async (db) => {
    const user = await requireLogin(db, login);
    if ((await countOtherAdministrators(db, user.id)) === 0) {
      throw new AppError('conflict', `${user.username} is the last administrator`);
    }
    const owned = await listOnlyOwned(db, user.id);
    if (owned.length > 0) {
      const names = owned.map(({ name }) => name).join(', ');
      throw new AppError('conflict', `${user.username} is the only owner of ${names}`);
    }
    await deleteUser(db, user.id);
    await recordChange(db, user, 'deleted');
  });
}

async function requireLogin(db: Db, login: string): Promise<Login> {
  const user = await findLogin(db, login);
  if (user === undefined) throw new AppError('not_found', `There is no user with the login ${login}`);
  return user;
}

/** Whoever has the command line of the server is nobody in particular. */
async function recordChange(db: Db, user: Pick<Login, 'id' | 'username'>, verb: string): Promise<void> {
  await recordEvent(db, noActor, {
    projectId: null,
    objectType: 'user',
    objectId: user.id,
    objectName: user.username,
    description: `User ${user.username} ${verb} on the command line`,
  });
}

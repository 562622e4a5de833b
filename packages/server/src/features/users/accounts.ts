import type { User, UserChange, UserInput } from '@signalbox/contract/users';
import type { Actor } from '../../auth/actor.ts';
import { isTaken } from '../../auth/login-names.ts';
import { hashPassword } from '../../auth/passwords.ts';
import { hasOtherAdministrator, lockPeople } from '../../auth/people-lock.ts';
import { endSessionsOf } from '../../auth/sessions.ts';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { type EventActor, noActor, recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { deleteUser, insertUser, listOnlyOwned, lockOwnedProjects, type UserValues, updateUser } from './queries.ts';
import { requireUser } from './users.ts';

/** Changes of users, by the API and by the command line, which is nobody in particular and may do everything. */
export type Doer = Actor | typeof noActor;

export async function createUser(database: Database, doer: Doer, input: UserInput): Promise<User> {
  const { username, name, email, external = false, admin = false, alert = false } = input;
  if (!external && !input.password) throw invalid('password', 'is required');
  const password = external || !input.password ? null : await hashPassword(input.password);
  return changePeople(database, async (db) => {
    await refuseTaken(db, { username, email }, 0);
    const id = await insertUser(db, { username, name, email, external, admin, alert, password }, Date.now());
    await recordChange(db, doer, { id, username }, admin ? 'created as administrator' : 'created');
    return requireUser(db, id);
  });
}

export async function changeUser(database: Database, actor: Actor, id: number, change: UserChange): Promise<void> {
  const password = change.password ? await hashPassword(change.password) : undefined;
  await changePeople(database, async (db) => {
    const user = await requireUser(db, id);
    const values = readValues(user, change, password);
    if (values.admin !== undefined) await refuseAdminChange(db, actor, user);
    await refuseTaken(db, values, id);
    await updateUser(db, id, values);
    if (password !== undefined) await endOtherSessions(db, actor, id);
    const told = describeValues(values);
    if (told !== '') await recordChange(db, actor, { ...user, ...values }, `updated: ${told}`);
  });
}

/** @param id of a user whose password is kept here */
export async function changePassword(database: Database, doer: Doer, id: number, password: string): Promise<void> {
  const hash = await hashPassword(password);
  await database.transact(async (db) => {
    const user = await requireUser(db, id);
    refuseExternal(user, 'password', hash);
    await updateUser(db, id, { password: hash });
    await endOtherSessions(db, doer, id);
    await recordChange(db, doer, user, 'got a new password');
  });
}

/** @throws AppError conflict for the last administrator and for the last owner of a project */
export async function removeUser(database: Database, doer: Doer, id: number): Promise<void> {
  await changePeople(database, async (db) => {
    const user = await requireUser(db, id);
    if (user.admin) await requireOtherAdministrator(db, user);
    await lockOwnedProjects(db, id);
    const projects = (await listOnlyOwned(db, id)).map(({ name }) => name);
    if (projects.length > 0) {
      const names = projects.join(', ');
      throw new AppError('conflict', `${user.username} is the only owner of ${names}`, { projects });
    }
    await deleteUser(db, id);
    // Who deleted himself is nobody any more.
    const { address } = doer;
    const actor = doer.userId === id ? { userId: null, address } : doer;
    await recordChange(db, actor, user, doer.userId === id ? 'deleted by himself' : 'deleted');
  });
}

/** A change that depends on other users, after those that other servers make. */
async function changePeople<T>(database: Database, change: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await database.transact(async (db) => {
      await lockPeople(db, database.engine);
      return await change(db);
    });
  } catch (error) {
    // An address that a sign-in elsewhere brought at the same moment.
    if (isUniqueViolation(error))
      throw new AppError('not_unique', 'The user name or the e-mail address is taken already');
    throw error;
  }
}

/** What differs from what is stored. */
function readValues(user: User, change: UserChange, password: string | undefined): UserValues {
  const { username, name, email, admin, alert } = change;
  refuseExternal(user, 'username', username);
  refuseExternal(user, 'email', email);
  refuseExternal(user, 'password', password);
  if (email === '' && user.email !== '') throw invalid('email', 'is required');
  return {
    ...(username === undefined || username === user.username ? {} : { username }),
    ...(name === undefined || name === user.name ? {} : { name }),
    ...(email === undefined || email === user.email ? {} : { email }),
    ...(admin === undefined || admin === user.admin ? {} : { admin }),
    ...(alert === undefined || alert === user.alert ? {} : { alert }),
    ...(password === undefined ? {} : { password }),
  };
}

/** What comes from elsewhere at every sign-in is not changed here. */
function refuseExternal(user: User, field: 'username' | 'email' | 'password', value: string | undefined): void {
  if (!user.external || value === undefined || (field !== 'password' && value === user[field])) return;
  const what = { username: 'user name', email: 'e-mail address', password: 'password' }[field];
  const message = `${user.username} signs in elsewhere: the ${what} is kept there`;
  throw new AppError('invalid', message, [{ path: field, message }]);
}

async function refuseAdminChange(db: Db, actor: Actor, user: User): Promise<void> {
  if (actor.userId === user.id) throw new AppError('forbidden', 'Nobody changes his own administrator flag');
  if (!actor.admin) throw new AppError('forbidden', 'Only administrators make administrators');
  if (user.admin) await requireOtherAdministrator(db, user);
}

async function requireOtherAdministrator(db: Db, user: User): Promise<void> {
  if (await hasOtherAdministrator(db, user.id)) return;
  throw new AppError('conflict', `${user.username} is the last administrator`);
}

/** Both sign somebody in, so a user name is nobody else's address either. */
async function refuseTaken(db: Db, values: Pick<UserValues, 'username' | 'email'>, exceptId: number): Promise<void> {
  for (const field of ['username', 'email'] as const) {
    const text = values[field];
    if (!text || !(await isTaken(db, text, exceptId))) continue;
    const what = field === 'email' ? 'the e-mail address' : 'the login';
    const details = [{ path: field, message: 'is taken' }];
    throw new AppError('not_unique', `There is a user with ${what} ${text} already`, details);
  }
}

/** Whoever knew the old password is signed out; he who changed his own stays. */
async function endOtherSessions(db: Db, doer: Doer, userId: number): Promise<void> {
  const own = 'sessionId' in doer && doer.userId === userId ? doer.sessionId : undefined;
  await endSessionsOf(db, userId, own);
}

const words = { username: 'login', name: 'name', email: 'e-mail address', alert: 'alerts', password: 'password' };

function describeValues(values: UserValues): string {
  const told = Object.entries(words).flatMap(([field, word]) => (field in values ? [word] : []));
  if (values.admin !== undefined) told.push(values.admin ? 'now an administrator' : 'no administrator any more');
  return told.join(', ');
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid', `${path} ${message}`, [{ path, message }]);
}

async function recordChange(
  db: Db,
  actor: EventActor,
  user: Pick<User, 'id' | 'username'>,
  verb: string,
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: null,
    objectType: 'user',
    objectId: user.id,
    objectName: user.username,
    description: `User ${user.username} ${verb}${actor === noActor ? ' (command line)' : ''}`,
  });
}

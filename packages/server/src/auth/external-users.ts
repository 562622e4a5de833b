import { randomBytes } from 'node:crypto';
import type { SignInFailure } from '@signalbox/contract/single-sign-on';
import type { Db } from '../db/database.ts';
import { recordEvent } from '../db/events.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './begin-session.ts';
import { foldName, isTaken } from './login-names.ts';

/** Who somebody is elsewhere. Only issuer and subject tell one from another; the rest is what he is called. */
export type ExternalPerson = {
  readonly issuer: string;
  readonly subject: string;
  readonly username: string | undefined;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** The provider says that the address may not be his; it is not taken then. */
  readonly isEmailRefuted: boolean;
};

export type KnownUser = { readonly id: number; readonly username: string; readonly admin: boolean };
type StoredUser = KnownUser & { readonly name: string; readonly email: string };

/**
 * The user of an external person: the one of his identity, brought up to date, or a new one. Never one who merely has the
 * same e-mail address or name: whoever can choose those elsewhere would be anybody here.
 *
 * @param via what the event calls the provider
 * @throws AppError wrong_credentials with the reason in its details
 */
export async function takeExternalUser(
  db: Db,
  person: ExternalPerson,
  via: string,
  caller: Caller,
): Promise<KnownUser> {
  const known = await findByIdentity(db, person);
  const cleaned = cleanPerson(person);
  return known === undefined ? createUser(db, cleaned, via, caller) : refreshUser(db, known, cleaned, { via, caller });
}

function findByIdentity(db: Db, { issuer, subject }: ExternalPerson): Promise<StoredUser | undefined> {
  return db
    .selectFrom('user_identity')
    .innerJoin('user', 'user.id', 'user_identity.user_id')
    .select(['user.id', 'user.username', 'user.name', 'user.email', 'user.admin'])
    .where('user_identity.issuer', '=', issuer)
    .where('user_identity.subject', '=', subject)
    .executeTakeFirst();
}

/** What a provider says is any text: it becomes what every store keeps and every screen shows. */
function cleanPerson(person: ExternalPerson): ExternalPerson {
  const email = cleanText(person.email);
  const username = cleanText(person.username);
  return {
    ...person,
    username: username && foldName(username),
    name: cleanText(person.name),
    email: email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined,
  };
}

const maxLength = 255;

function cleanText(text: string | undefined): string | undefined {
  const cleaned = text
    ?.toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
    .trim();
  return cleaned === '' ? undefined : cleaned;
}

async function createUser(db: Db, person: ExternalPerson, via: string, caller: Caller): Promise<KnownUser> {
  const { issuer, subject, email, name = 'Anonymous' } = person;
  if (person.isEmailRefuted) throw refuse('sso_email_unverified', 'The e-mail address of your account is not verified');
  if (email === undefined) throw refuse('sso_no_email', 'Your account there has no e-mail address');
  if (await isTaken(db, email)) throw refuse('sso_email_taken', 'Another user has the e-mail address of your account');
  const username = await findFreeName(db, person.username ?? randomName());
  const created = Date.now();
  const { id } = await db
    .insertInto('user')
    .values({ username, name, email, created, password: null, admin: false, external: true, alert: false })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('user_identity').values({ user_id: id, issuer, subject, created }).execute();
  await recordUser(db, { id, username }, caller, `created at the first sign-in with ${via}`);
  return { id, username, admin: false };
}

async function recordUser(
  db: Db,
  { id, username }: { id: number; username: string },
  { address }: Caller,
  what: string,
): Promise<void> {
  const entry = { projectId: null, objectType: 'user', objectId: id, objectName: username };
  await recordEvent(db, { userId: id, address }, { ...entry, description: `User ${username} ${what}` });
}

/** Takes over what has changed elsewhere, as far as nobody else has it here. */
async function refreshUser(
  db: Db,
  known: StoredUser,
  person: ExternalPerson,
  { via, caller }: { via: string; caller: Caller },
): Promise<KnownUser> {
  const { id } = known;
  const name = person.name ?? known.name;
  const email = await chooseFree(db, id, known.email, person.email);
  const username = await chooseFree(db, id, known.username, person.username);
  const changes = [
    ...(name === known.name ? [] : ['name']),
    ...(username === known.username ? [] : ['user name']),
    ...(email === known.email ? [] : ['e-mail address']),
  ];
  if (changes.length > 0) {
    await db.updateTable('user').set({ name, email, username }).where('id', '=', id).execute();
    await recordUser(db, { id, username }, caller, `has another ${changes.join(', ')} at ${via}`);
  }
  return { id, username, admin: known.admin };
}

async function chooseFree(db: Db, id: number, current: string, wanted: string | undefined): Promise<string> {
  if (wanted === undefined || wanted === current) return current;
  return (await isTaken(db, wanted, id)) ? current : wanted;
}

const mostNumbers = 50;

/** The name itself, or with the first number that makes it one of a kind. */
async function findFreeName(db: Db, name: string): Promise<string> {
  if (!(await isTaken(db, name))) return name;
  for (let number = 2; number <= mostNumbers; number++) {
    const candidate = `${name.slice(0, maxLength - 4).toWellFormed()}-${number}`;
    if (!(await isTaken(db, candidate))) return candidate;
  }
  return randomName();
}

function randomName(): string {
  return randomBytes(12).toString('base64url').toLowerCase().replaceAll(/[-_]/g, '0');
}

function refuse(reason: SignInFailure, message: string): AppError {
  return new AppError('wrong_credentials', message, { reason });
}

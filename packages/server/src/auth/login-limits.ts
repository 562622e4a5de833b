import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { foldName } from './login-names.ts';

/** Name of the lock among the advisory locks of the database. */
const loginLock = 7_401_001;
const minute = 60_000;
/** A code has six digits only, so besides the minute there is the hour: guessing would take years. */
const limits = {
  account: { count: 5, windowMs: minute },
  address: { count: 20, windowMs: minute },
  code: { count: 20, windowMs: 60 * minute },
} as const;
type Kind = keyof typeof limits;

/** Rows that stand for one attempt until it is known to be good. */
export type Attempt = { readonly ids: readonly number[] };

/**
 * Counts one attempt to sign in as a failure before the password is looked at, so that a hundred at once do not all pass
 * the check; `forgiveAttempt` takes it back. Throws `too_many_attempts` with the seconds to wait.
 */
export function countAttempt(database: Database, account: string, address: string, now: number): Promise<Attempt> {
  // People type passwords into the wrong field: what they typed is not kept.
  const hashed = createHash('sha256').update(foldName(account)).digest('hex');
  return countAll(database, now, [
    ['account', hashed],
    ['address', groupAddress(address)],
  ]);
}

/** The same for one attempt at the second step. It has a count of its own: nobody else can use that up. */
export function countCodeAttempt(database: Database, userId: number, address: string, now: number): Promise<Attempt> {
  return countAll(database, now, [
    ['account', `second step of ${userId}`],
    ['address', groupAddress(address)],
    ['code', String(userId)],
  ]);
}

/** The same for one entry of a directory, which takes many spellings for the same login. */
export function countEntryAttempt(database: Database, dn: string, now: number): Promise<Attempt> {
  return countAll(database, now, [['account', `entry ${createHash('sha256').update(dn).digest('hex')}`]]);
}

/** The same for the key of one address of a state. A machine with an old password locks nobody else out. */
export function countStateAttempt(database: Database, alias: string, now: number): Promise<Attempt> {
  return countAll(database, now, [['account', `state ${createHash('sha256').update(alias).digest('hex')}`]]);
}

function countAll(database: Database, now: number, subjects: readonly [Kind, string][]): Promise<Attempt> {
  return database.transact(async (db) => {
    // Of two transactions on PostgreSQL neither sees what the other counts: they go one after the other.
    if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${loginLock})`.execute(db);
    await forgetOld(db, now);
    const ids: number[] = [];
    for (const [kind, subject] of subjects) ids.push(await countOne(db, kind, subject, now));
    return { ids };
  });
}

async function forgetOld(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('login_failure')
    .where('created', '<=', now - minute)
    .where((eb) => eb.or([eb('kind', '<>', 'code'), eb('created', '<=', now - limits.code.windowMs)]))
    .execute();
}

export async function forgiveAttempt(db: Db, attempt: Attempt): Promise<void> {
  await db.deleteFrom('login_failure').where('id', 'in', attempt.ids).execute();
}

async function countOne(db: Db, kind: Kind, subject: string, now: number): Promise<number> {
  const { count, windowMs } = limits[kind];
  const recent = await db
    .selectFrom('login_failure')
    .select('created')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('created', '>', now - windowMs)
    .orderBy('created', 'desc')
    .limit(count)
    .execute();
  const oldest = recent[count - 1];
  if (oldest !== undefined) {
    const seconds = Math.max(1, Math.ceil((oldest.created + windowMs - now) / 1000));
    throw new AppError('too_many_attempts', `Too many attempts; try again in ${seconds} s`, { retry_after: seconds });
  }
  const { id } = await db
    .insertInto('login_failure')
    .values({ kind, subject, created: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** One customer has a whole /64 of IPv6, so that is what counts as one address. */
export function groupAddress(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}

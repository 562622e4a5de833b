import type { User } from '@signalbox/contract/users';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { ...row, created: new Date(row.created).toISOString() };
}

export type NewUser = Omit<User, 'id' | 'created'> & { password: string | null };

export async function insertUser(db: Db, user: NewUser, now: number): Promise<number> {
  const row = await db
    .insertInto('user')
    .values({ ...user, created: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export type Login = { id: number; username: string; password: string | null; external: boolean };

/** By user name or e-mail address, in any letter case. A user name wins over the same text as somebody's address. */
export function findLogin(db: Db, auth: string): Promise<Login | undefined> {
  const wanted = auth.trim().toLowerCase();
  return db
    .selectFrom('user')
    .select(['id', 'username', 'password', 'external'])
    .where((eb) =>
      eb.or([
        eb(sql`lower(username)`, '=', wanted),
        eb.and([eb(sql`lower(email)`, '=', wanted), eb('email', '<>', '')]),
      ]),
    )
    .orderBy((eb) => eb.case().when(sql`lower(username)`, '=', wanted).then(0).else(1).end())
    .executeTakeFirst();
}

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

export async function listUsers(db: Db): Promise<User[]> {
  const rows = await db.selectFrom('user').selectAll().orderBy('username').execute();
  return rows.map((row) => ({ ...row, created: new Date(row.created).toISOString() }));
}

/** A new password ends every session: whoever knew the old one is signed out. */
export async function updatePassword(db: Db, id: number, password: string): Promise<void> {
  await db.updateTable('user').set({ password }).where('id', '=', id).execute();
  await db.deleteFrom('session').where('user_id', '=', id).execute();
}

export async function countOtherAdministrators(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('admin', '=', true)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Projects that would be left without an owner. */
export function listOnlyOwned(db: Db, id: number): Promise<{ name: string }[]> {
  return db
    .selectFrom('project_user as own')
    .innerJoin('project', 'project.id', 'own.project_id')
    .select('project.name')
    .where('own.user_id', '=', id)
    .where('own.role', '=', 'owner')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_user as other')
            .select('other.user_id')
            .whereRef('other.project_id', '=', 'own.project_id')
            .where('other.role', '=', 'owner')
            .where('other.user_id', '<>', id),
        ),
      ),
    )
    .orderBy('project.name')
    .execute();
}

export async function deleteUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom('user').where('id', '=', id).execute();
}

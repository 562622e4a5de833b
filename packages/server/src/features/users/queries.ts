import type { User, UserName } from '@signalbox/contract/users';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

function selectUsers(db: Db) {
  return db
    .selectFrom('user')
    .leftJoin('totp', 'totp.user_id', 'user.id')
    .select(['user.id', 'user.created', 'user.username', 'user.name', 'user.email'])
    .select(['user.admin', 'user.external', 'user.alert', 'totp.id as totp_id']);
}

type UserRow = Omit<User, 'created' | 'totp'> & { created: number; totp_id: number | null };

function toUser({ totp_id: totpId, ...row }: UserRow): User {
  return { ...row, created: new Date(row.created).toISOString(), totp: totpId === null ? null : { id: totpId } };
}

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  const row = await selectUsers(db).where('user.id', '=', id).executeTakeFirst();
  return row && toUser(row);
}

export async function listUsers(db: Db): Promise<User[]> {
  const rows = await selectUsers(db).orderBy(sql`lower("user"."name")`).orderBy('user.id').execute();
  return rows.map(toUser);
}

export function listUserNames(db: Db): Promise<UserName[]> {
  return db.selectFrom('user').select(['id', 'username', 'name']).orderBy(sql`lower(name)`).orderBy('id').execute();
}

export type NewUser = Omit<User, 'id' | 'created' | 'totp'> & { password: string | null };

export async function insertUser(db: Db, user: NewUser, now: number): Promise<number> {
  const row = await db
    .insertInto('user')
    .values({ ...user, created: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export type UserValues = Partial<Pick<NewUser, 'username' | 'name' | 'email' | 'admin' | 'alert' | 'password'>>;

export async function updateUser(db: Db, id: number, values: UserValues): Promise<void> {
  if (Object.keys(values).length === 0) return;
  await db.updateTable('user').set(values).where('id', '=', id).execute();
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Of projects that a user owns no other owner leaves at the same moment: see the team's own changes. */
export async function lockOwnedProjects(db: Db, userId: number): Promise<void> {
  await db
    .selectFrom('project')
    .select('id')
    .where('id', 'in', (part) =>
      part.selectFrom('project_user').select('project_id').where('user_id', '=', userId).where('role', '=', 'owner'),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Projects that would be left without an owner; one that is being deleted needs none. */
export function listOnlyOwned(db: Db, id: number): Promise<{ name: string }[]> {
  return db
    .selectFrom('project_user as own')
    .innerJoin('project', 'project.id', 'own.project_id')
    .select('project.name')
    .where('own.user_id', '=', id)
    .where('own.role', '=', 'owner')
    .where('project.deleted', 'is', null)
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

import type { RoleName } from '@signalbox/contract/permissions';
import type { Member } from '@signalbox/contract/team';
import type { Db } from '../../db/database.ts';
import { orderBy, type SortRequest } from '../../sorting.ts';

function selectMembers(db: Db, projectId: number) {
  return db
    .selectFrom('project_user')
    .innerJoin('user', 'user.id', 'project_user.user_id')
    .select(['user.id', 'user.id as user_id', 'user.username', 'user.name', 'project_user.role'])
    .where('project_user.project_id', '=', projectId);
}

export function listMembers(db: Db, projectId: number, { sort, order }: SortRequest): Promise<Member[]> {
  const column = sort === 'role' ? 'project_user.role' : sort;
  return selectMembers(db, projectId)
    .orderBy(orderBy({ sort: column, order }, 'user', ['name', 'username', 'email', 'project_user.role']))
    .execute();
}

export function findMember(db: Db, projectId: number, userId: number): Promise<Member | undefined> {
  return selectMembers(db, projectId).where('project_user.user_id', '=', userId).executeTakeFirst();
}

export function findUsername(db: Db, userId: number): Promise<{ username: string } | undefined> {
  return db.selectFrom('user').select('username').where('id', '=', userId).executeTakeFirst();
}

/**
 * Whether the project is there. Its row is locked until the end of the transaction, so that changes of one
 * team come one after the other; tasks and other rows of the project are not held up by it.
 */
export async function lockTeam(db: Db, projectId: number): Promise<boolean> {
  const row = await db
    .selectFrom('project')
    .select('id')
    .where('id', '=', projectId)
    .where('deleted', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function countOtherOwners(db: Db, projectId: number, userId: number): Promise<number> {
  const row = await db
    .selectFrom('project_user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertMember(db: Db, projectId: number, userId: number, role: RoleName): Promise<void> {
  await db.insertInto('project_user').values({ project_id: projectId, user_id: userId, role }).execute();
}

export async function updateMember(db: Db, projectId: number, userId: number, role: RoleName): Promise<void> {
  await db
    .updateTable('project_user')
    .set({ role })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(db: Db, projectId: number, userId: number): Promise<void> {
  await db.deleteFrom('project_user').where('project_id', '=', projectId).where('user_id', '=', userId).execute();
}

import { type Role, rolePermissions } from '@signalbox/contract/permissions';
import type { Db } from '../db/database.ts';
import type { SignedInUser } from './actor.ts';

const allBits = 15;

/** The bits of a user in a project; undefined where it does not exist for him: not there, or no member and no admin. */
export async function findPermissions(db: Db, user: SignedInUser, projectId: number): Promise<number | undefined> {
  if (user.admin) {
    const project = await db
      .selectFrom('project')
      .select('id')
      .where('id', '=', projectId)
      .where('deleted', 'is', null)
      .executeTakeFirst();
    return project && allBits;
  }
  const member = await findMember(db, user.userId, projectId);
  return member && rolePermissions[member.role];
}

/** The role that a user really has: an administrator who is no member has none. */
export async function findRole(db: Db, userId: number, projectId: number): Promise<Role> {
  const member = await findMember(db, userId, projectId);
  return member === undefined
    ? { role: '', permissions: 0 }
    : { role: member.role, permissions: rolePermissions[member.role] };
}

function findMember(db: Db, userId: number, projectId: number) {
  return db
    .selectFrom('project_user')
    .innerJoin('project', 'project.id', 'project_user.project_id')
    .select('project_user.role')
    .where('project_user.project_id', '=', projectId)
    .where('project_user.user_id', '=', userId)
    .where('project.deleted', 'is', null)
    .executeTakeFirst();
}

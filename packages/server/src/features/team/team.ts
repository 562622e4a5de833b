import { permissionBits, type RoleName, rolePermissions } from '@signalbox/contract/permissions';
import type { Member, MemberInput } from '@signalbox/contract/team';
import type { Actor } from '../../auth/actor.ts';
import { findPermissions } from '../../auth/membership.ts';
import { isReferenceViolation, isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import {
  countOtherOwners,
  deleteMember,
  findMember,
  findUsername,
  insertMember,
  lockTeam,
  updateMember,
} from './queries.ts';

export async function requireMember(db: Db, projectId: number, userId: number): Promise<Member> {
  const member = await findMember(db, projectId, userId);
  if (member === undefined) throw new AppError('not_found', 'There is no such member in this project');
  return member;
}

export async function addMember(
  database: Database,
  actor: Actor,
  projectId: number,
  { user_id: userId, role }: MemberInput,
): Promise<void> {
  try {
    await changeTeam(database, actor, projectId, async (db, held) => {
      refuseGreater(held, role, 'You can give only roles whose rights you have');
      const user = await findUsername(db, userId);
      if (user === undefined) throw unknownUser();
      if ((await findMember(db, projectId, userId)) !== undefined) throw alreadyMember(user.username);
      await insertMember(db, projectId, userId, role);
      await recordChange(db, actor, projectId, { id: userId, ...user }, `added to team as ${role}`);
    });
  } catch (error) {
    // Somebody else was faster than the look at it: another way into the team, or the end of the account.
    if (isUniqueViolation(error)) throw alreadyMember(`with id ${userId}`);
    if (isReferenceViolation(error)) throw unknownUser();
    throw error;
  }
}

export type MemberPlace = { projectId: number; userId: number };

export async function changeMember(
  database: Database,
  actor: Actor,
  { projectId, userId }: MemberPlace,
  role: RoleName,
): Promise<void> {
  await changeTeam(database, actor, projectId, async (db, held) => {
    const member = await requireMember(db, projectId, userId);
    refuseGreater(held, member.role, 'You can change only members whose rights you have');
    refuseGreater(held, role, 'You can give only roles whose rights you have');
    if (member.role === role) return;
    if (isOwnerHimself(actor, member)) throw new AppError('invalid', 'An owner cannot change his own role');
    await refuseLastOwner(db, projectId, member);
    await updateMember(db, projectId, userId, role);
    await recordChange(db, actor, projectId, member, `has the role ${role} in the team`);
  });
}

export async function removeMember(
  database: Database,
  actor: Actor,
  { projectId, userId }: MemberPlace,
): Promise<void> {
  await changeTeam(database, actor, projectId, async (db, held) => {
    const member = await requireMember(db, projectId, userId);
    refuseGreater(held, member.role, 'You can remove only members whose rights you have');
    if (isOwnerHimself(actor, member)) throw new AppError('invalid', 'An owner cannot remove himself');
    await takeOut(db, actor, projectId, member, 'removed from team');
  });
}

export async function leaveProject(database: Database, actor: Actor, projectId: number): Promise<void> {
  await database.transact(async (db) => {
    await requireTeam(db, projectId);
    const member = await findMember(db, projectId, actor.userId);
    if (member === undefined) throw new AppError('not_found', 'You are no member of this project');
    if (isOwnerHimself(actor, member)) {
      throw new AppError('invalid', 'An owner cannot leave: another owner can take him out');
    }
    await takeOut(db, actor, projectId, member, 'left the team');
  });
}

/** One change of a team at a time. The actor's bits are read anew inside: they may just have been taken from him. */
async function changeTeam(
  database: Database,
  actor: Actor,
  projectId: number,
  change: (db: Db, held: number) => Promise<void>,
): Promise<void> {
  await database.transact(async (db) => {
    await requireTeam(db, projectId);
    const held = (await findPermissions(db, actor, projectId)) ?? 0;
    if ((held & permissionBits.users) === 0) {
      throw new AppError('forbidden', 'Your role in this project does not allow that');
    }
    await change(db, held);
  });
}

async function requireTeam(db: Db, projectId: number): Promise<void> {
  if (await lockTeam(db, projectId)) return;
  throw new AppError('not_found', 'There is no such project');
}

/** Nobody gives rights that he has not, and nobody takes them from those who have more. */
function refuseGreater(held: number, role: RoleName, message: string): void {
  if ((rolePermissions[role] & ~held) !== 0) throw new AppError('forbidden', message);
}

function isOwnerHimself(actor: Actor, member: Member): boolean {
  return member.id === actor.userId && member.role === 'owner' && !actor.admin;
}

async function takeOut(db: Db, actor: Actor, projectId: number, member: Member, what: string): Promise<void> {
  await refuseLastOwner(db, projectId, member);
  await deleteMember(db, projectId, member.id);
  await recordChange(db, actor, projectId, member, what);
}

async function refuseLastOwner(db: Db, projectId: number, member: Member): Promise<void> {
  if (member.role !== 'owner' || (await countOtherOwners(db, projectId, member.id)) > 0) return;
  const { id, username, name } = member;
  throw new AppError('conflict', `${username} is the only owner of this project`, {
    owners: [{ id, username, name }],
  });
}

function unknownUser(): AppError {
  const message = 'names no user';
  return new AppError('unknown_reference', `user_id ${message}`, [{ path: 'user_id', message }]);
}

function alreadyMember(who: string): AppError {
  return new AppError('not_unique', `The user ${who} is a member of this project already`, [
    { path: 'user_id', message: 'is a member already' },
  ]);
}

async function recordChange(
  db: Db,
  actor: Actor,
  projectId: number,
  user: { id: number; username: string },
  what: string,
): Promise<void> {
  await recordEvent(db, actor, {
    projectId,
    objectType: 'user',
    objectId: user.id,
    objectName: user.username,
    description: `User ${user.username} ${what}`,
  });
}

import type { RoleName } from '@signalbox/contract/permissions';
import type { Db } from '../db/database.ts';
import { type EventActor, recordEvent } from '../db/events.ts';
import type { Logger } from '../logger.ts';
import type { KnownUser } from './external-users.ts';
import { hasOtherAdministrator } from './people-lock.ts';
import { type Grants, higherRole } from './role-rules.ts';

export type GrantPlace = {
  readonly db: Db;
  readonly log: Logger;
  readonly user: KnownUser;
  readonly actor: EventActor;
};

/**
 * Makes a user have what the rules give him now. What a rule gave once and gives no more is taken away; what was given by
 * hand stays: a membership that no rule made, or that somebody changed since. The last administrator and the last owner
 * of a project keep what they have, and the log says so.
 *
 * Returns whether any right changed.
 */
export async function applyGrants(place: GrantPlace, grants: Grants): Promise<boolean> {
  const { db, user } = place;
  const stored = await db
    .selectFrom('sign_in_grant')
    .select(['project_id', 'role'])
    .where('user_id', '=', user.id)
    .execute();
  if (stored.length === 0 && !grants.admin && grants.roles.size === 0) return false;
  const given = new Map(
    stored.flatMap(({ project_id: id, role }) => (id === null || role === null ? [] : [[id, role]])),
  );
  const wanted = await findProjects(place, grants.roles);
  let hasChanged = await applyAdmin(
    place,
    grants.admin,
    stored.some(({ project_id: id }) => id === null),
  );
  for (const projectId of new Set([...wanted.keys(), ...given.keys()].toSorted((a, b) => a - b))) {
    const change = { projectId, wanted: wanted.get(projectId), given: given.get(projectId) };
    if (await applyRole(place, change)) hasChanged = true;
  }
  return hasChanged;
}

async function applyAdmin(place: GrantPlace, isWanted: boolean, isGiven: boolean): Promise<boolean> {
  const { db, user, log } = place;
  if (isWanted) {
    // Who is one by hand stays one by hand.
    if (user.admin) return false;
    await setAdmin(place, true);
    if (!isGiven) await storeGrant(db, user.id, null, null);
    return true;
  }
  if (!isGiven) return false;
  if (user.admin && !(await hasOtherAdministrator(db, user.id))) {
    log.warn('A rule cannot take the rights of an administrator from the last one', { user: user.id });
    return false;
  }
  await forgetGrant(db, user.id, null);
  if (user.admin) await setAdmin(place, false);
  return user.admin;
}

async function setAdmin(place: GrantPlace, admin: boolean): Promise<void> {
  const { db, user } = place;
  await db.updateTable('user').set({ admin }).where('id', '=', user.id).execute();
  await recordChange(
    place,
    null,
    admin ? 'became an administrator by a rule' : 'is no administrator any more by a rule',
  );
}

type RoleChange = { projectId: number; wanted: RoleName | undefined; given: RoleName | undefined };

async function applyRole(place: GrantPlace, { projectId, wanted, given }: RoleChange): Promise<boolean> {
  const { db, user, log } = place;
  await lockProject(db, projectId);
  const current = await findRole(db, projectId, user.id);
  if (current !== undefined && current !== given) {
    // Made or changed by hand: no rule's any more.
    if (given !== undefined) await forgetGrant(db, user.id, projectId);
    return false;
  }
  if (current === wanted) {
    if (wanted === undefined) await forgetGrant(db, user.id, projectId);
    return false;
  }
  if (current === 'owner' && !(await hasOtherOwner(db, projectId, user.id))) {
    log.warn('A rule cannot take the role of an owner from the last one', { user: user.id, project: projectId });
    return false;
  }
  await forgetGrant(db, user.id, projectId);
  await db.deleteFrom('project_user').where('project_id', '=', projectId).where('user_id', '=', user.id).execute();
  if (wanted !== undefined) {
    await db.insertInto('project_user').values({ project_id: projectId, user_id: user.id, role: wanted }).execute();
    await storeGrant(db, user.id, projectId, wanted);
  }
  await recordChange(
    place,
    projectId,
    wanted === undefined ? 'left the team by a rule' : `has the role ${wanted} by a rule`,
  );
  return true;
}

/** As every change of a team does; see features/team. */
async function lockProject(db: Db, projectId: number): Promise<void> {
  await db.selectFrom('project').select('id').where('id', '=', projectId).forNoKeyUpdate().execute();
}

/** The projects that the rules name. A name that several projects have could be anybody's choice, so it is none. */
async function findProjects(
  { db, log }: GrantPlace,
  wanted: ReadonlyMap<number | string, RoleName>,
): Promise<Map<number, RoleName>> {
  const found = new Map<number, RoleName>();
  for (const [project, role] of wanted) {
    const rows = await db
      .selectFrom('project')
      .select('id')
      .where(typeof project === 'number' ? 'id' : 'name', '=', project)
      .where('deleted', 'is', null)
      .limit(2)
      .execute();
    const [only, other] = rows;
    if (only === undefined || other !== undefined) {
      const problem = only === undefined ? 'no project' : 'more than one project';
      log.warn(`A sign-in rule gives a role in ${problem}`, { project });
      continue;
    }
    found.set(only.id, higherRole(found.get(only.id), role));
  }
  return found;
}

async function findRole(db: Db, projectId: number, userId: number): Promise<RoleName | undefined> {
  const row = await db
    .selectFrom('project_user')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role;
}

async function hasOtherOwner(db: Db, projectId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('project_user')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @param projectId null for the admin flag, which has no role */
async function storeGrant(db: Db, userId: number, projectId: number | null, role: RoleName | null): Promise<void> {
  await db.insertInto('sign_in_grant').values({ user_id: userId, project_id: projectId, role }).execute();
}

async function forgetGrant(db: Db, userId: number, projectId: number | null): Promise<void> {
  await db
    .deleteFrom('sign_in_grant')
    .where('user_id', '=', userId)
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .execute();
}

async function recordChange({ db, user, actor }: GrantPlace, projectId: number | null, what: string): Promise<void> {
  await recordEvent(db, actor, {
    projectId,
    objectType: 'user',
    objectId: user.id,
    objectName: user.username,
    description: `User ${user.username} ${what}`,
  });
}

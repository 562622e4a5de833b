import type { Project } from '@signalbox/contract/projects';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { ProjectTable } from '../../db/tables.ts';

const toProject = ({ deleted: _deleted, ...row }: Selectable<ProjectTable>): Project => ({
  ...row,
  created: new Date(row.created).toISOString(),
});

/** The projects of a user; without one, all. */
export async function listProjects(db: Db, memberId: number | undefined): Promise<Project[]> {
  let query = db.selectFrom('project').selectAll().where('deleted', 'is', null);
  if (memberId !== undefined) {
    query = query.where('id', 'in', (part) =>
      part.selectFrom('project_user').select('project_id').where('user_id', '=', memberId),
    );
  }
  const rows = await query.orderBy(sql`lower(name)`).orderBy('id').execute();
  return rows.map(toProject);
}

export async function findProject(db: Db, id: number): Promise<Project | undefined> {
  const row = await db
    .selectFrom('project')
    .selectAll()
    .where('id', '=', id)
    .where('deleted', 'is', null)
    .executeTakeFirst();
  return row && toProject(row);
}

export type ProjectValues = Omit<Project, 'id' | 'created'>;

export async function insertProject(db: Db, values: ProjectValues, now: number): Promise<number> {
  const row = await db
    .insertInto('project')
    .values({ ...values, created: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateProject(db: Db, id: number, values: Partial<ProjectValues>): Promise<void> {
  await db.updateTable('project').set(values).where('id', '=', id).where('deleted', 'is', null).execute();
}

export async function insertOwner(db: Db, projectId: number, userId: number): Promise<void> {
  await db.insertInto('project_user').values({ project_id: projectId, user_id: userId, role: 'owner' }).execute();
}

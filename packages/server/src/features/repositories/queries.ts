import type { Repository } from '@signalbox/contract/repositories';
import type { Db } from '../../db/database.ts';
import { orderBy, type SortRequest } from '../../sorting.ts';

export type RepositoryValues = Omit<Repository, 'id' | 'project_id'>;

export function listRepositories(db: Db, projectId: number, sort: SortRequest): Promise<Repository[]> {
  return db
    .selectFrom('repository')
    .innerJoin('key', 'key.id', 'repository.ssh_key_id')
    .selectAll('repository')
    .where('repository.project_id', '=', projectId)
    .orderBy(
      orderBy(sort.sort === 'ssh_key' ? { ...sort, sort: 'key.name' } : sort, 'repository', [
        'name',
        'git_url',
        'key.name',
      ]),
    )
    .execute();
}

export function findRepository(db: Db, projectId: number, id: number): Promise<Repository | undefined> {
  return db
    .selectFrom('repository')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function insertRepository(db: Db, projectId: number, values: RepositoryValues): Promise<Repository> {
  return db
    .insertInto('repository')
    .values({ ...values, project_id: projectId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateRepository(db: Db, projectId: number, id: number, values: RepositoryValues): Promise<void> {
  await db.updateTable('repository').set(values).where('id', '=', id).where('project_id', '=', projectId).execute();
}

export async function deleteRepository(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('repository').where('id', '=', id).where('project_id', '=', projectId).execute();
}

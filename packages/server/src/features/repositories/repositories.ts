import { gitUrlKind } from '@signalbox/contract/git-url';
import type { Repository, RepositoryChange, RepositoryInput } from '@signalbox/contract/repositories';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { findRepositoryReferences, removeUnused, requireOwn, requireSameIds } from '../references/references.ts';
import { deleteRepository, findRepository, insertRepository, updateRepository } from './queries.ts';

export async function requireRepository(db: Db, projectId: number, id: number): Promise<Repository> {
  const repository = await findRepository(db, projectId, id);
  if (repository === undefined) throw new AppError('not_found', 'There is no such repository in this project');
  return repository;
}

export function createRepository(
  database: Database,
  actor: Actor,
  projectId: number,
  input: RepositoryInput,
): Promise<Repository> {
  requireSameIds({ projectId }, input);
  return database.transact((db) => addRepository(db, actor, projectId, input));
}

/** Adds a repository inside a transaction that makes more than a repository. */
export async function addRepository(
  db: Db,
  actor: Actor,
  projectId: number,
  { name, git_url, git_branch, ssh_key_id, host_key_policy = 'accept-new' }: RepositoryInput,
): Promise<Repository> {
  await requireOwn(db, projectId, [{ field: 'ssh_key_id', table: 'key', id: ssh_key_id }]);
  const repository = await insertRepository(db, projectId, { name, git_url, git_branch, ssh_key_id, host_key_policy });
  await recordChange(db, actor, repository, 'created');
  return repository;
}

export type RepositoryPlace = { projectId: number; id: number };

export async function changeRepository(
  database: Database,
  actor: Actor,
  place: RepositoryPlace,
  change: RepositoryChange,
): Promise<void> {
  requireSameIds(place, change);
  await database.transact(async (db) => {
    const stored = await requireRepository(db, place.projectId, place.id);
    await requireOwn(db, place.projectId, [{ field: 'ssh_key_id', table: 'key', id: change.ssh_key_id }]);
    const { name, git_url, git_branch = stored.git_branch, ssh_key_id } = change;
    const { host_key_policy = stored.host_key_policy } = change;
    if (git_branch === '' && gitUrlKind(git_url) !== 'local') {
      throw new AppError('invalid', 'git_branch is required', [{ path: 'git_branch', message: 'is required' }]);
    }
    await updateRepository(db, place.projectId, place.id, { name, git_url, git_branch, ssh_key_id, host_key_policy });
    await recordChange(db, actor, { ...stored, git_url }, 'updated');
  });
}

export async function removeRepository(database: Database, actor: Actor, place: RepositoryPlace): Promise<void> {
  const repository = await requireRepository(database.read, place.projectId, place.id);
  const removal = { kind: 'repository', ...place, findReferences: findRepositoryReferences };
  await removeUnused(database, removal, async (db) => {
    await deleteRepository(db, place.projectId, place.id);
    await recordChange(db, actor, repository, 'deleted');
  });
}

async function recordChange(
  db: Db,
  actor: Actor,
  repository: Repository,
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: repository.project_id,
    objectType: 'repository',
    objectId: repository.id,
    objectName: repository.name,
    // Everybody in the project reads the list, and an address may carry a password.
    description: `Repository ${repository.git_url.replace(/^([a-z]+:\/\/[^/@:]*):[^/@]*@/i, '$1:…@')} ${verb}`,
  });
}

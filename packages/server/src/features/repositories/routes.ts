import { type Repository, type RepositoryTest, repositoryRoutes } from '@signalbox/contract/repositories';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { findRepositoryReferences } from '../references/references.ts';
import { listRepositories } from './queries.ts';
import { changeRepository, createRepository, removeRepository, requireRepository } from './repositories.ts';

/** Asks a runner whether a repository can be reached: the server runs no git. */
export type TestRepository = (repository: Repository) => Promise<RepositoryTest>;

export function repositoryApi(http: HttpApi, database: Database, test: TestRepository): void {
  register(http, repositoryRoutes.list, ({ params, query }) =>
    listRepositories(database.read, params.project_id, query),
  );
  register(http, repositoryRoutes.create, ({ params, body, actor }) =>
    createRepository(database, actor, params.project_id, body),
  );
  register(http, repositoryRoutes.get, ({ params }) =>
    requireRepository(database.read, params.project_id, params.repository_id),
  );
  register(http, repositoryRoutes.references, async ({ params }) => {
    await requireRepository(database.read, params.project_id, params.repository_id);
    return findRepositoryReferences(database.read, params.project_id, params.repository_id);
  });
  register(http, repositoryRoutes.test, async ({ params }) =>
    test(await requireRepository(database.read, params.project_id, params.repository_id)),
  );
  register(http, repositoryRoutes.update, ({ params, body, actor }) =>
    changeRepository(database, actor, { projectId: params.project_id, id: params.repository_id }, body),
  );
  register(http, repositoryRoutes.remove, ({ params, actor }) =>
    removeRepository(database, actor, { projectId: params.project_id, id: params.repository_id }),
  );
}

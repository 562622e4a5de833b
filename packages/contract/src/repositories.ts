import * as z from 'zod/mini';
import { Id, Name, PathId, ProjectParams, SortQuery, Text } from './fields.ts';
import { gitUrlKind, hasPassword, isBranchName } from './git-url.ts';
import { HostKeyPolicy } from './host-keys.ts';
import { defineRoute } from './http/route.ts';
import { References } from './references.ts';

export const Repository = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  git_url: z.string(),
  git_branch: z.string(),
  ssh_key_id: Id,
  host_key_policy: HostKeyPolicy,
});
export type Repository = z.infer<typeof Repository>;

const GitUrl = Text.check(
  z.trim(),
  z.minLength(1, 'is required'),
  z.maxLength(2048),
  z.refine((url) => gitUrlKind(url) !== undefined, 'is not a repository URL that can be used'),
  z.refine((url) => !hasPassword(url), 'must not hold a password: store it as a key, and choose the key here'),
);
const GitBranch = Text.check(
  z.trim(),
  z.maxLength(255),
  z.refine((branch) => branch === '' || isBranchName(branch), 'is not a branch name'),
);

export const RepositoryInput = z
  .object({
    project_id: z.optional(Id),
    name: Name,
    git_url: GitUrl,
    git_branch: z._default(GitBranch, ''),
    ssh_key_id: Id,
    host_key_policy: z.optional(HostKeyPolicy),
  })
  .check(
    z.refine((input) => input.git_branch !== '' || gitUrlKind(input.git_url) === 'local', {
      path: ['git_branch'],
      message: 'is required',
    }),
  );
export type RepositoryInput = z.infer<typeof RepositoryInput>;

export const RepositoryChange = z.object({
  project_id: z.optional(Id),
  id: Id,
  name: Name,
  git_url: GitUrl,
  git_branch: z.optional(GitBranch),
  ssh_key_id: Id,
  host_key_policy: z.optional(HostKeyPolicy),
});
export type RepositoryChange = z.infer<typeof RepositoryChange>;

const RepositoryParams = z.object({ ...ProjectParams.shape, repository_id: PathId });

/** What a runner found when it was asked to reach the repository. */
export const RepositoryTest = z.object({
  ok: z.boolean(),
  /** Commit at the head of the branch when ok, else one sentence on what went wrong. */
  text: z.string(),
});
export type RepositoryTest = z.infer<typeof RepositoryTest>;

export const repositoryRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/repositories',
    permission: 'member',
    summary: 'Repositories of the project.',
    params: ProjectParams,
    query: SortQuery,
    response: z.array(Repository),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/repositories',
    permission: 'resources',
    summary: 'Adds a repository.',
    params: ProjectParams,
    body: RepositoryInput,
    response: Repository,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/repositories/:repository_id',
    permission: 'member',
    summary: 'One repository.',
    params: RepositoryParams,
    response: Repository,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/repositories/:repository_id/refs',
    permission: 'member',
    summary: 'What uses the repository.',
    params: RepositoryParams,
    response: References,
    status: 200,
  }),
  test: defineRoute({
    method: 'POST',
    path: '/project/:project_id/repositories/:repository_id/test',
    permission: 'resources',
    summary: 'Asks a runner whether the repository and its branch can be reached with its key.',
    params: RepositoryParams,
    response: RepositoryTest,
    status: 200,
    announced: false,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/repositories/:repository_id',
    permission: 'resources',
    summary: 'Changes a repository.',
    params: RepositoryParams,
    body: RepositoryChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/repositories/:repository_id',
    permission: 'resources',
    summary: 'Deletes a repository that nothing uses.',
    params: RepositoryParams,
    status: 204,
  }),
};

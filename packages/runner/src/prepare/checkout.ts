import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, runQuietly } from '../process/run-command.ts';
import { TaskFailure } from '../task-failure.ts';
import { makeGitEnv } from './git-access.ts';
import { findGitDirectory, writeWorkingRepository } from './git-files.ts';
import { isInside, resolveLocalPath } from './paths.ts';
import {
  explainGit,
  type RepositoryCache,
  type ResolvedCommit,
  readDefaultBranch,
  readLocalHead,
} from './repository-cache.ts';
import { checkBranchName, checkCommitHash, parseRepositoryUrl, type RepositoryLocation } from './repository-url.ts';
import { updateSubmodules } from './submodules.ts';
import type { CheckoutRoom, PreparedTree, TreeRequest } from './tree-request.ts';

const checkoutTimeout = 30 * 60 * 1000;

/** Fills a fresh directory with the files of one commit. @throws TaskFailure, or the abort reason */
export async function prepareTree(room: CheckoutRoom, request: TreeRequest): Promise<PreparedTree> {
  const location = parseRepositoryUrl(request.repository.url);
  mkdirSync(request.tree);
  if (location.kind === 'remote') return checkOut(room, request, location, null);
  const path = resolveLocalPath(location.path, room.localRoots, request.repository.trusted);
  const gitDirectory = findGitDirectory(path);
  if (gitDirectory === null) return copyDirectory(room, request, path);
  return checkOut(room, request, { kind: 'local', path }, gitDirectory);
}

async function copyDirectory(room: CheckoutRoom, request: TreeRequest, path: string): Promise<PreparedTree> {
  if (isInside(path, room.dataDir)) {
    throw new TaskFailure(`The directory ${path} holds the runner's own data, so it cannot be copied`);
  }
  request.say(`Copying ${path} (it is not a git repository)`);
  const { cwd, env, signal } = { cwd: path, env: makeGitEnv(room.surroundings), signal: request.signal };
  const args = ['-a', '--', `${path}/.`, request.tree];
  const end = await runCommand('cp', args, { cwd, env, signal, timeout: checkoutTimeout });
  if (end.code !== 0) throw new TaskFailure(`${path} could not be copied: ${end.stderr.trim().slice(0, 500)}`);
  return { commit: null, subject: '' };
}

async function checkOut(
  room: CheckoutRoom,
  request: TreeRequest,
  location: RepositoryLocation,
  gitDirectory: string | null,
): Promise<PreparedTree> {
  const { repository, tree, signal, say } = request;
  const branch = repository.branch !== '' ? repository.branch : gitDirectory && readDefaultBranch(gitDirectory);
  if (!branch) throw new TaskFailure('The repository has no branch set');
  checkBranchName(branch);
  const cache = room.caches.get(repository, location);
  const commit =
    request.commit === null
      ? await resolveHead(request, cache, branch, gitDirectory)
      : await resolveCommit(request, cache, request.commit);
  writeWorkingRepository(tree, cache.directory, { commit: commit.hash, branch: commit.branch, origin: cache.origin });
  const env = makeGitEnv(room.surroundings);
  const args = ['read-tree', '-u', '--reset', 'HEAD'];
  const options = { cwd: tree, env, signal, timeout: checkoutTimeout };
  if ((await runQuietly('git', args, options)) !== 0) {
    // Once more, and listened to this time: why it fails is worth the cost, that it works is not.
    const end = await runCommand('git', args, options);
    if (end.code !== 0) throw new TaskFailure(`Commit ${commit.hash} could not be checked out: ${explainGit(end)}`);
  }
  const place = commit.branch === null ? '' : ` of branch ${commit.branch}`;
  say(`Checked out ${commit.hash.slice(0, 12)}${place}: ${commit.subject}`);
  if (existsSync(join(tree, '.gitmodules'))) await updateSubmodules(room, { ...request, location, cache });
  return { commit: commit.hash, subject: commit.subject.slice(0, 100) };
}

async function resolveHead(
  request: TreeRequest,
  cache: RepositoryCache,
  branch: string,
  gitDirectory: string | null,
): Promise<ResolvedCommit> {
  const { say, signal, created } = request;
  if (gitDirectory !== null) {
    say(`Cloning ${cache.origin} at the head of branch ${branch}; changes that are not committed do not run`);
    const head = readLocalHead(gitDirectory, branch);
    // The branch is where our copy has it already: there is nothing to fetch.
    if (head !== null && cache.isAt(branch, head)) return cache.resolveBranch(branch, signal);
  } else say(`Fetching ${cache.origin}`);
  await cache.fetchSince(created, signal);
  return cache.resolveBranch(branch, signal);
}

async function resolveCommit(request: TreeRequest, cache: RepositoryCache, commit: string): Promise<ResolvedCommit> {
  const { say, signal, created } = request;
  checkCommitHash(commit);
  const here = await cache.findHere(commit, signal);
  if (here !== null) return here;
  say(`Fetching ${cache.origin}`);
  await cache.fetchSince(created, signal);
  const fetched = await cache.findHere(commit, signal);
  if (fetched !== null) return fetched;
  await cache.fetchCommit(commit, signal);
  const asked = await cache.findHere(commit, signal);
  if (asked === null) throw new TaskFailure(`${cache.origin} has no commit ${commit}`);
  return asked;
}

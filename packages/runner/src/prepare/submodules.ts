import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandEnd, runCommand } from '../process/run-command.ts';
import { TaskFailure } from '../task-failure.ts';
import { openGitAccess } from './git-access.ts';
import { isInside, resolveLocalPath } from './paths.ts';
import { explainGit, type RepositoryCache } from './repository-cache.ts';
import { parseRepositoryUrl, type RepositoryLocation } from './repository-url.ts';
import type { CheckoutRoom, TreeRequest } from './tree-request.ts';

const timeout = 60 * 60 * 1000;
const deepest = 10;

type SubmoduleRequest = TreeRequest & { location: RepositoryLocation; cache: RepositoryCache };
type Git = (cwd: string, args: string[]) => Promise<CommandEnd>;

/**
 * Fetches the submodules with the key of the repository, level by level: the URLs of each level are the text of whoever wrote the
 * repository, and are judged like any other before git may follow them.
 */
export async function updateSubmodules(room: CheckoutRoom, request: SubmoduleRequest): Promise<void> {
  const { repository, location, cache, signal } = request;
  request.say('Fetching submodules');
  const target = { location, repository, knownHosts: cache.knownHosts };
  const access = openGitAccess(room.surroundings, target, request.secrets);
  const git: Git = (cwd, args) => runCommand('git', args, { cwd, env: access.env, signal, timeout });
  try {
    await updateLevel(room, request.tree, git, 1);
  } finally {
    access.close();
  }
}

async function updateLevel(room: CheckoutRoom, tree: string, git: Git, depth: number): Promise<void> {
  if (depth > deepest) throw new TaskFailure(`Submodules are nested more than ${deepest} levels deep`);
  await succeed(git(tree, ['submodule', '--quiet', 'init']));
  for (const url of await listUrls(git, tree)) checkSubmoduleUrl(room, url);
  await succeed(git(tree, ['submodule', '--quiet', 'update']));
  for (const inner of await listSubmodules(git, tree)) {
    if (existsSync(join(inner, '.gitmodules'))) await updateLevel(room, inner, git, depth + 1);
  }
}

async function succeed(work: Promise<CommandEnd>): Promise<void> {
  const end = await work;
  if (end.code !== 0) throw new TaskFailure(`The submodules could not be fetched: ${explainGit(end)}`);
}

/** Values of a setting, with each relative URL already resolved by `submodule init`. */
async function listValues(git: Git, tree: string, args: string[]): Promise<string[]> {
  const end = await git(tree, ['config', '--null', ...args]);
  const entries = end.stdout.split('\0').filter((entry) => entry !== '');
  return entries.map((entry) => entry.slice(entry.indexOf('\n') + 1));
}

function listUrls(git: Git, tree: string): Promise<string[]> {
  return listValues(git, tree, ['--local', '--get-regexp', '^submodule\\..*\\.url$']);
}

/**
 * Directories of this level that git has just filled. By the commit, not by `.gitmodules`: a path in there is free text, and may
 * lead anywhere on this machine.
 */
async function listSubmodules(git: Git, tree: string): Promise<string[]> {
  const end = await git(tree, ['ls-files', '--stage', '-z']);
  const paths = end.stdout.split('\0').flatMap((entry) => /^160000 [^\t]*\t(.+)$/s.exec(entry)?.[1] ?? []);
  const root = realpathSync.native(tree);
  return paths
    .map((path) => join(tree, path))
    .filter((inner) => existsSync(join(inner, '.git')) && isInside(root, realpathSync.native(inner)));
}

function checkSubmoduleUrl(room: CheckoutRoom, url: string): void {
  const location = parseRepositoryUrl(url);
  if (location.kind === 'local') resolveLocalPath(location.path, room.localRoots, false);
}

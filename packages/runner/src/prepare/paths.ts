import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { TaskFailure } from '../task-failure.ts';

export function isInside(directory: string, path: string): boolean {
  const steps = relative(directory, path);
  return steps === '' || (!steps.startsWith('../') && steps !== '..' && !isAbsolute(steps));
}

/** Whether a part of the path below the tree is a symbolic link; without one, nothing needs to be followed. */
function hasLink(tree: string, path: string): boolean {
  for (let part = path; part !== tree; part = dirname(part)) if (lstatSync(part).isSymbolicLink()) return true;
  return false;
}

/**
 * A path that a user wrote, inside a tree. Symbolic links are followed before it is judged.
 * @param what what it is to the user: "The playbook"
 * @returns the path relative to the tree, never one that a tool could take for an option
 * @throws TaskFailure
 */
export function findInTree(tree: string, path: string, what: string): string {
  if (path === '') throw new TaskFailure(`${what} is not set`);
  if (path.includes('\0')) throw new TaskFailure(`${what} has a NUL in its path`);
  const wanted = resolve(tree, path.replace(/^\/+/, ''));
  if (!isInside(tree, wanted)) throw new TaskFailure(`${what} "${path}" is outside of the repository`);
  if (!existsSync(wanted)) throw new TaskFailure(`${what} "${path}" is not in the repository`);
  if (hasLink(tree, wanted) && !isInside(realpathSync.native(tree), realpathSync.native(wanted))) {
    throw new TaskFailure(`${what} "${path}" leads out of the repository`);
  }
  const found = relative(tree, wanted);
  if (found === '') throw new TaskFailure(`${what} "${path}" is the repository itself`);
  return found.startsWith('-') ? `./${found}` : found;
}

const realRoots = new Map<string, string>();

/** Where an allowed directory really is. It is the operator's, and is looked up once. */
function resolveRoot(root: string): string | null {
  const known = realRoots.get(root);
  if (known !== undefined) return known;
  if (!existsSync(root)) return null;
  const real = realpathSync.native(root);
  realRoots.set(root, real);
  return real;
}

/**
 * The real path of a directory on the runner's machine that a task may use.
 * @param roots the directories that the operator has allowed
 * @throws TaskFailure
 */
export function resolveLocalPath(path: string, roots: string[], isTrusted: boolean): string {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch {
    throw new TaskFailure(`The directory ${path} does not exist on the runner's machine`);
  }
  const isAllowed = roots.some((root) => {
    const realRoot = resolveRoot(root);
    return realRoot !== null && isInside(realRoot, real);
  });
  if (!isTrusted && !isAllowed) {
    throw new TaskFailure(
      `The directory ${path} is not below one that is listed in SIGNALBOX_LOCAL_REPOSITORIES, so it may not be used`,
    );
  }
  return real;
}

/** A word for a shell: git runs the commands of its settings through one. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

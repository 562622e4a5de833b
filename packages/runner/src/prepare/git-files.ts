import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflateSync } from 'node:zlib';

/*
 * The few files of git that are read and written here without git: a process costs two milliseconds, and a task has few to spare.
 * What is not understood is answered with null, and git itself is asked.
 */

const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // not there, or not a file
  }
}

/** The hash that a ref names, from its own file or the packed ones. */
export function readRef(gitDirectory: string, name: string, depth = 0): string | null {
  const text = readText(join(gitDirectory, name))?.trim();
  if (text !== undefined && hash.test(text)) return text;
  if (text?.startsWith('ref: ') && depth < 5) return readRef(gitDirectory, text.slice(5).trim(), depth + 1);
  if (text !== undefined) return null;
  const packed = readText(join(gitDirectory, 'packed-refs'));
  if (packed === null) return null;
  const end = packed.indexOf(` ${name}\n`);
  if (end < 0) return null;
  const found = packed.slice(packed.lastIndexOf('\n', end) + 1, end);
  return hash.test(found) ? found : null;
}

/** The branch that HEAD is on: the name behind refs/heads/. */
export function readHeadBranch(gitDirectory: string): string | null {
  return /^ref: refs\/heads\/(.+)$/.exec(readText(join(gitDirectory, 'HEAD'))?.trim() ?? '')?.[1] ?? null;
}

function looksBare(path: string): boolean {
  return existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')) && existsSync(join(path, 'refs'));
}

/** Where git keeps its files for a local repository; null for a plain directory. A linked worktree has its refs elsewhere. */
export function findGitDirectory(path: string): string | null {
  const inner = join(path, '.git');
  if (!existsSync(inner)) return looksBare(path) ? path : null;
  if (statSync(inner).isDirectory()) return inner;
  const pointer = /^gitdir: (.+)$/m.exec(readText(inner) ?? '')?.[1];
  return pointer === undefined ? null : resolve(path, pointer);
}

/** Subject of a commit that is stored as a file of its own; null when it is packed. */
export function readLooseSubject(gitDirectory: string, commit: string): string | null {
  let object: string;
  try {
    const packed = readFileSync(join(gitDirectory, 'objects', commit.slice(0, 2), commit.slice(2)));
    object = inflateSync(packed).toString('utf8');
  } catch {
    return null; // packed, or not there: git knows
  }
  const message = object.slice(object.indexOf('\n\n') + 2);
  const paragraph = message.trimStart().split(/\n\s*\n/, 1)[0] ?? '';
  return paragraph.trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** A value, or the name of a subsection, in a settings file of git. */
export function quoteForConfig(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function makeConfig(format: string, isBare: boolean, origin: string | null): string {
  const isSha256 = format === 'sha256';
  const core = `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = ${isBare}\n`;
  const extension = isSha256 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  const remote =
    origin === null
      ? ''
      : `[remote "origin"]\n\turl = ${quoteForConfig(origin)}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  return core + extension + remote;
}

export type ObjectFormat = 'sha1' | 'sha256';

function formatOf(commit: string): ObjectFormat {
  return commit.length === 64 ? 'sha256' : 'sha1';
}

export function writeBareRepository(directory: string, format: ObjectFormat): void {
  mkdirSync(join(directory, 'objects', 'info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(directory, 'refs', 'heads'), { recursive: true });
  writeFileSync(join(directory, 'config'), makeConfig(format, true, null));
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/main\n');
}

/** A repository that has no objects of its own: it borrows those of the cache. */
export function writeWorkingRepository(
  tree: string,
  cache: string,
  head: { commit: string; branch: string | null; origin: string },
): void {
  const directory = join(tree, '.git');
  // Without refs/heads: git finds the branch in the packed file, and that is one directory less to make and to remove.
  for (const part of ['.', 'objects', 'objects/info', 'refs']) mkdirSync(join(directory, part));
  writeFileSync(join(directory, 'objects', 'info', 'alternates'), `${join(cache, 'objects')}\n`);
  writeFileSync(join(directory, 'config'), makeConfig(formatOf(head.commit), false, head.origin));
  if (head.branch !== null) writeFileSync(join(directory, 'packed-refs'), `${head.commit} refs/heads/${head.branch}\n`);
  writeFileSync(
    join(directory, 'HEAD'),
    head.branch === null ? `${head.commit}\n` : `ref: refs/heads/${head.branch}\n`,
  );
}

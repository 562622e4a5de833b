import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const compress = promisify(deflate);

export type RepositoryFile = { readonly path: string; readonly content: Uint8Array; readonly executable: boolean };
type Entry = { readonly name: string; readonly mode: string; readonly hash: string };

/** Always the same author and time, so that the same files are the same commit everywhere. */
const author = 'Signalbox <demo@signalbox.invalid> 1767225600 +0000';

/**
 * Writes a git repository with one commit on `main`. By hand and not with git: the server starts no programs, and git may
 * not even be there yet. What exists already is left alone, since somebody may have committed to it.
 */
export async function writeRepository(
  directory: string,
  files: readonly RepositoryFile[],
  message: string,
): Promise<void> {
  if (existsSync(directory)) return;
  // Beside it first: a half-written repository must not be found at the next start.
  const draft = `${directory}.new`;
  await rm(draft, { recursive: true, force: true });
  const git = path.join(draft, '.git');
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']) {
    await mkdir(path.join(git, folder), { recursive: true });
  }
  const tree = await writeTree(git, files, '');
  const head = `tree ${tree}\nauthor ${author}\ncommitter ${author}\n\n${message}\n`;
  const commit = await writeObject(git, 'commit', Buffer.from(head));
  await writeFile(path.join(git, 'refs/heads/main'), `${commit}\n`);
  await writeFile(path.join(git, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(
    path.join(git, 'config'),
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n',
  );
  await rename(draft, directory);
}

async function writeTree(git: string, files: readonly RepositoryFile[], folder: string): Promise<string> {
  const here = files.filter((file) => file.path.startsWith(folder));
  const names = new Set(here.map((file) => file.path.slice(folder.length).split('/', 1)[0] ?? ''));
  const entries: Entry[] = [];
  for (const name of names) {
    const file = here.find((candidate) => candidate.path === folder + name);
    entries.push(
      file === undefined
        ? { name, mode: '40000', hash: await writeTree(git, files, `${folder}${name}/`) }
        : { name, mode: file.executable ? '100755' : '100644', hash: await writeObject(git, 'blob', file.content) },
    );
  }
  // Git compares folders as if their names ended in a slash.
  const sortName = ({ name, mode }: Entry) => Buffer.from(mode === '40000' ? `${name}/` : name);
  entries.sort((one, other) => sortName(one).compare(sortName(other)));
  const parts = entries.flatMap(({ mode, name, hash }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]);
  return writeObject(git, 'tree', Buffer.concat(parts));
}

async function writeObject(git: string, type: string, content: Uint8Array): Promise<string> {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const hash = createHash('sha1').update(bytes).digest('hex');
  const folder = path.join(git, 'objects', hash.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, hash.slice(2)), await compress(bytes), { mode: 0o444 });
  return hash;
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Requirement } from '../tools/adapter.ts';

const endings = ['yml', 'yaml'];

function readFile(tree: string, path: string): string | null {
  const full = join(tree, path);
  return statSync(full, { throwIfNoEntry: false })?.isFile() ? readFileSync(full, 'utf8') : null;
}

/** A file may ask for both kinds: as a mapping with the two lists, or, in the old form, as one list of roles. */
function listKinds(text: string): Requirement['kind'][] {
  const kinds: Requirement['kind'][] = [];
  if (/^collections\s*:/m.test(text)) kinds.push('collection');
  if (/^roles\s*:/m.test(text) || /^\s*-\s/.test(text.replaceAll(/^(?:#.*|---.*|\s*)\n/gm, ''))) kinds.push('role');
  return kinds;
}

/** Places of requirements files, from the playbook's directory on, then the root of the repository. */
function listCandidates(playbook: string): string[] {
  const home = dirname(playbook);
  const directories = home === '.' ? ['.'] : [home, '.'];
  const names = ['collections/requirements', 'requirements', 'roles/requirements'];
  return directories.flatMap((directory) =>
    names.flatMap((name) => endings.map((ending) => join(directory, `${name}.${ending}`))),
  );
}

/** Whether the repository says itself where its collections or roles are; then they are installed there, and not shared. */
function definesPath(settings: string, kind: Requirement['kind']): boolean {
  return (kind === 'role' ? /^\s*roles_path\s*=/m : /^\s*collections_paths?\s*=/m).test(settings);
}

export function readAnsibleSettings(tree: string): string {
  const path = join(tree, 'ansible.cfg');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/**
 * What is to be installed before the playbook runs. Installs are kept for each content, so a file that has not changed costs nothing.
 * @param cache directory of the kept installs
 * @param owner tells apart who may share: one project's installs are not another's
 */
export function findRequirements(
  tree: string,
  playbook: string,
  cache: string,
  owner: { projectId: number; claim: string },
): Requirement[] {
  const settings = readAnsibleSettings(tree);
  const found: Requirement[] = [];
  for (const file of listCandidates(playbook)) {
    const text = readFile(tree, file);
    if (text === null) continue;
    for (const kind of listKinds(text)) {
      const hash = createHash('sha256').update(`${kind}\n${text}`).digest('hex').slice(0, 32);
      const final = join(cache, `${owner.projectId}-${hash}`);
      const isShared = !definesPath(settings, kind);
      found.push({ kind, file, cache: isShared ? { final, temporary: `${final}.${owner.claim}.new` } : null });
    }
  }
  return found;
}

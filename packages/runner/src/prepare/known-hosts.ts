import { appendFileSync, copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HostKeyPolicy } from '@signalbox/contract/host-keys';

type HostsOwner = { projectId: number } | { repositoryId: number };

/**
 * Where the runner remembers the keys of hosts: of the hosts of a project's inventories, and of the host of each repository. Beside
 * them, the machine's own list (/etc/ssh/ssh_known_hosts) holds for all, unless nothing is checked.
 */
export function knownHostsOf(dataDir: string, owner: HostsOwner): string {
  const name = 'projectId' in owner ? `project-${owner.projectId}` : `repository-${owner.repositoryId}`;
  return `${dataDir}/known-hosts/${name}`;
}

/** Settings of ssh that carry out a policy, each a word as it follows `-o`. @param file absolute path of what is remembered */
export function listHostKeySettings(policy: HostKeyPolicy, file: string): string[] {
  switch (policy) {
    case 'accept-new':
      return ['StrictHostKeyChecking=accept-new', `UserKnownHostsFile="${file}"`];
    case 'strict':
      return ['StrictHostKeyChecking=yes', `UserKnownHostsFile="${file}"`];
    case 'off':
      return ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'GlobalKnownHostsFile=/dev/null'];
    default:
      return policy satisfies never;
  }
}

/**
 * A task works on a copy of what its project or its repository knows, so that tasks that run at the same time do not write over each other.
 * @returns adds what was learnt
 */
export function borrowKnownHosts(dataDir: string, owner: HostsOwner, copy: string): () => void {
  const shared = knownHostsOf(dataDir, owner);
  if (existsSync(shared)) copyFileSync(shared, copy);
  else writeFileSync(copy, '', { mode: 0o600 });
  return () => returnKnownHosts(shared, copy);
}

function returnKnownHosts(shared: string, copy: string): void {
  // The copy is the task's: a link in its place may lead to what only this runner may read, and the next task would get it.
  if (!lstatSync(copy, { throwIfNoEntry: false })?.isFile()) return;
  const known = new Set(existsSync(shared) ? readFileSync(shared, 'utf8').split('\n') : []);
  const learnt = readFileSync(copy, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !known.has(line));
  if (learnt.length === 0) return;
  mkdirSync(dirname(shared), { recursive: true, mode: 0o700 });
  appendFileSync(shared, `${learnt.join('\n')}\n`, { mode: 0o600 });
}

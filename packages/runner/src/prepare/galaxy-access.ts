import { join } from 'node:path';
import type { JobRepository } from '@signalbox/contract/job';
import { type GitAccess, type GitSurroundings, openGitAccess } from './git-access.ts';
import { borrowKnownHosts } from './known-hosts.ts';
import { parseRepositoryUrl } from './repository-url.ts';

/**
 * Galaxy clones with the repository's key, and by what is known of the repository's host.
 * @param places `secrets`: the task's own directory for them
 */
export function openGalaxyAccess(
  surroundings: GitSurroundings,
  repository: JobRepository,
  places: { dataDir: string; secrets: string },
): GitAccess {
  const location = parseRepositoryUrl(repository.url);
  const knownHosts = join(places.secrets, 'git_known_hosts');
  const giveBack = borrowKnownHosts(places.dataDir, { repositoryId: repository.id }, knownHosts);
  const access = openGitAccess(surroundings, { location, repository, knownHosts }, places.secrets);
  let isOpen = true;
  const close = (): void => {
    // Once: what comes after Galaxy is the code of the task, and may write there what it likes.
    if (!isOpen) return;
    isOpen = false;
    access.close();
    giveBack();
  };
  return { env: access.env, close };
}

import type { JobRepository, KeyMaterial } from '@signalbox/contract/job';

export function listKeySecrets(key: KeyMaterial | undefined): string[] {
  if (key?.type === 'ssh') return [key.private_key, key.passphrase];
  return key?.type === 'login_password' ? [key.password] : [];
}

/** The secrets of a repository: those of its key, and a password that somebody wrote into its URL. */
export function listRepositorySecrets(repository: JobRepository | null | undefined): string[] {
  if (repository === null || repository === undefined) return [];
  const password = URL.canParse(repository.url) ? new URL(repository.url).password : '';
  return [...listKeySecrets(repository.key), password, decodeLoosely(password)];
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not an encoding of anything: it is refused later, with a reason
  }
}

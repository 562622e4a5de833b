import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const unusedAfterMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Installs and copies of repositories that no task has used for a month, and installs that were cut short. Only while no other runner
 * works here, and no task has begun.
 */
export function listUnusedCopies(dataDir: string): string[] {
  const oldest = Date.now() - unusedAfterMs;
  const directories = ['requirements', 'repositories'].map((name) => join(dataDir, name));
  const paths = directories.flatMap((directory) => readdirSync(directory).map((name) => join(directory, name)));
  return paths.filter((path) => path.endsWith('.new') || statSync(path).mtimeMs < oldest);
}

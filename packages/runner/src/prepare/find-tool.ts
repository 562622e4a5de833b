import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not for us
  }
}

const foundBefore = new Map<string, { path: string; at: number }>();
const trustedMs = 5000;
const mostRemembered = 100;

/** Absolute path of a program, looked up in the PATH that the tool itself will have; null when it is not installed. */
export function findTool(command: string, path: string): string | null {
  // A PATH has many directories, and a busy runner asks for the same few tools all the time.
  const key = `${command}\0${path}`;
  const known = foundBefore.get(key);
  if (known !== undefined && performance.now() - known.at < trustedMs) return known.path;
  const found = search(command, path);
  if (foundBefore.size >= mostRemembered) foundBefore.clear();
  if (found !== null) foundBefore.set(key, { path: found, at: performance.now() });
  return found;
}

function search(command: string, path: string): string | null {
  if (command.startsWith('/')) return isExecutable(command) ? command : null;
  if (command.includes('/')) return null;
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory, command);
    if (directory.startsWith('/') && isExecutable(candidate)) return candidate;
  }
  return null;
}
